import { formatExactMoney } from '../format/money';
import { formatCount } from '../format/numbers';
import { type PolicyField } from './policy';
import { type FieldChange } from './policy-diff';
import { affinityWords, credentialModeWords, retentionWords, sortWords, text } from './text';

/** A field of a policy in words. `number` also for an amount: the API bounds those of policies by what a `number` holds exactly. */
export function valueText(field: PolicyField, value: FieldChange['to'] | number): string {
  if (value === null) return nullText(field);
  if (typeof value === 'object') return text.diff.names(value.map(nameOf));
  if (typeof value === 'boolean') return value ? text.diff.yes : text.diff.no;
  if (field === 'max_cost_nanos') return formatExactMoney(BigInt(value));
  if (typeof value === 'number') return formatCount(value);
  const words = { ...sortWords, ...credentialModeWords, ...affinityWords, ...retentionWords } as Readonly<
    Record<string, { readonly label: string }>
  >;
  return words[String(value)]?.label ?? String(value);
}

/** A rollout goes by its name. */
const nameOf = (one: string | { readonly name: string }): string =>
  typeof one === 'string' ? one : one.name;

function nullText(field: PolicyField): string {
  if (field === 'max_attempts') return text.diff.default;
  if (field === 'retention') return text.diff.asAbove;
  if (field === 'allowed_ips') return text.addresses.any;
  return field.startsWith('allowed_') ? text.diff.all : text.diff.noLimit;
}
