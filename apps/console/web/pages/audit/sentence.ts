import { shortId } from '../../format/ids';
import { visibleText } from '../../format/visible-text';
import { howChanged } from '../../changes/how-changed';
import { nounOf, targetName } from '../../changes/target';
import { fieldWords, shownValue, verbs } from '../../changes/text';
import { changesOf, type AuditEntry, type Change } from './entry';
import { text } from './text';

/** Who did it: their name then, or what stands for them. */
export function actorName({ actor: { type, id, label } }: Pick<AuditEntry, 'actor'>): string {
  if (label !== null) return visibleText(label);
  return id === null ? text.actors[type] : shortId(id);
}

/** An audit entry in words: `ada@example.com raised requests a minute of key Billing from 600 to 1,200`. */
export function sentenceOf(entry: AuditEntry): string {
  const actor = actorName(entry);
  const verb = entry.action.slice(entry.action.lastIndexOf('.') + 1);
  const [change, ...others] = changesOf(entry);
  if (verb === 'update' && change !== undefined && others.length === 0)
    return oneChange(entry, actor, change);
  return text.did(actor, verbs[verb] ?? verb.replaceAll('_', ' '), targetName(entry.target));
}

function oneChange(entry: AuditEntry, actor: string, { field, from, to }: Change): string {
  const [before, after] = [shownValue(field, from), shownValue(field, to)];
  const how = howChanged(field, from, to);
  if (how === 'renamed') return text.renamed(actor, nounOf(entry.target.type), before, after);
  return text[how](actor, fieldWords(field), targetName(entry.target), before, after);
}
