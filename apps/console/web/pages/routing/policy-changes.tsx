import { type ReactElement } from 'react';
import { type PolicyDocument } from '../../policies/policy';
import { isListChange, policyDiff, type FieldChange } from '../../policies/policy-diff';
import { valueText } from '../../policies/policy-values';
import { fieldWords } from '../../policies/text';
import styles from './routing.module.css';
import { text } from './text';

interface PolicyChangesProps {
  readonly from: PolicyDocument;
  readonly to: PolicyDocument;
  /** The name of the list, where several are shown. */
  readonly label?: string;
}

/** The fields that lead from one policy to another. */
export function PolicyChanges({ from, to, label }: PolicyChangesProps): ReactElement {
  const changes = policyDiff(from, to);
  if (changes.length === 0) return <p className="muted">{text.diff.none}</p>;
  return (
    <ul className={styles.changes} aria-label={label}>
      {changes.map((change) => (
        <li key={change.field}>
          <strong>{fieldWords[change.field]}</strong> <span>{changeText(change)}</span>
        </li>
      ))}
    </ul>
  );
}

/** A change in words: `adds us and removes eu`, or both values. */
function changeText(change: FieldChange): string {
  const { field, from, to } = change;
  if (!isListChange(change) || change.names === null)
    return text.diff.fromTo(valueText(field, from), valueText(field, to));
  const { added, removed } = change.names;
  return [
    ...(added.length === 0 ? [] : [text.diff.added(added)]),
    ...(removed.length === 0 ? [] : [text.diff.removed(removed)]),
  ].join('; ');
}
