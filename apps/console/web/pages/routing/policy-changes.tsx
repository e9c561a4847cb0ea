import { type ReactElement } from 'react';
import { type PolicyDocument } from './policy';
import { policyDiff } from './policy-diff';
import { changeText } from './policy-values';
import styles from './routing.module.css';
import { fieldWords, text } from './text';

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
