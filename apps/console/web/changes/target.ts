import { shortId } from '../format/ids';
import { visibleText } from '../format/visible-text';
import { nouns } from './text';

interface Target {
  readonly type: string;
  readonly id: string | null;
  readonly label: string | null;
}

/** The target of a change: `key Billing`. Without a name, its id; what is not there yet is its kind alone. */
export function targetName({ type, id, label }: Target): string {
  const name = label === null ? (id === null ? '' : shortId(id)) : visibleText(label);
  return `${nounOf(type)} ${name}`.trim();
}

export const nounOf = (type: string): string => nouns[type] ?? type.replaceAll('_', ' ');
