import { formatExactMoney } from '../../format/money';
import { type PolicyField } from './policy';
import { isListChange, type FieldChange } from './policy-diff';
import { credentialModeWords, retentionWords, sortWords, text } from './text';

/** A field of a policy in words. */
export function valueText(field: PolicyField, value: FieldChange['to']): string {
  if (value === null) return nullText(field);
  if (typeof value === 'object') return text.diff.names(value);
  if (typeof value === 'boolean') return value ? text.diff.yes : text.diff.no;
  if (field === 'max_cost_nanos') return formatExactMoney(BigInt(value));
  const words = { ...sortWords, ...credentialModeWords, ...retentionWords } as Readonly<
    Record<string, { readonly label: string }>
  >;
  return words[String(value)]?.label ?? String(value);
}

const nullText = (field: PolicyField): string => {
  if (field === 'max_attempts') return text.diff.default;
  return field.startsWith('allowed_') ? text.diff.all : text.diff.noLimit;
};

/** What a change does: `adds us and removes eu`, or both values. */
export function changeText(change: FieldChange): string {
  const { field, from, to } = change;
  if (!isListChange(change) || change.names === null)
    return text.diff.fromTo(valueText(field, from), valueText(field, to));
  const { added, removed } = change.names;
  return [
    ...(added.length === 0 ? [] : [text.diff.added(added)]),
    ...(removed.length === 0 ? [] : [text.diff.removed(removed)]),
  ].join('; ');
}
