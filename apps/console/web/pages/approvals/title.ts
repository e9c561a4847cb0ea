import { howChanged, isNumber } from '../../changes/how-changed';
import { nounOf } from '../../changes/target';
import { fieldWords, shownValue } from '../../changes/text';
import { formatMoney } from '../../format/money';
import { visibleText } from '../../format/visible-text';
import { type ApprovalRequest } from './approval';
import { imperatives, text } from './text';

type Asked = Pick<ApprovalRequest, 'action' | 'changes' | 'body'>;

/** The change that waits, in words: `Raise amount of budget from $5.00 to $10.00`, `Create key Billing`, `Delete webhook`. */
export function titleOf(asked: Asked): string {
  const dot = asked.action.lastIndexOf('.');
  const [noun, verb] = [nounOf(asked.action.slice(0, dot)), asked.action.slice(dot + 1)];
  const [change, ...others] = Object.entries(asked.changes);
  if (verb === 'update' && change !== undefined && others.length === 0) return titleOfOne(noun, ...change);
  const title = text.titles.of(imperatives[verb] ?? verb.replaceAll('_', ' '), noun);
  const name = verb === 'create' ? nameIn(asked.body) : null;
  return name === null ? title : `${title} ${visibleText(name)}`;
}

function titleOfOne(noun: string, field: string, { from, to }: { from?: unknown; to?: unknown }): string {
  const [before, after] = [shortValue(field, from), shortValue(field, to)];
  const how = howChanged(field, from, to);
  if (how === 'renamed') return text.titles.renamed(noun, before, after);
  return text.titles[how](fieldWords(field), noun, before, after);
}

/** In a title an amount has as many decimals as in a list; the table below has all. */
const shortValue = (field: string, value: unknown): string =>
  field.endsWith('_nanos') && isNumber(value) ? formatMoney(BigInt(value)) : shownValue(field, value);

/** The name of a new resource. */
function nameIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const named = body as Readonly<Record<string, unknown>>;
  const name = named['name'] ?? named['label'] ?? named['email'] ?? null;
  return typeof name === 'string' ? name : null;
}
