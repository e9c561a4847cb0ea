import { type ReactElement } from 'react';
import styles from './deliveries.module.css';
import { text } from './text';

/** The events that a receiver is told of, each name or wildcard on a line. */
export function EventTypes({ of }: { readonly of: readonly string[] }): ReactElement {
  if (of.length === 0) return <>{text.everyEvent}</>;
  return (
    <ul className={styles.list}>
      {of.map((type) => (
        <li key={type}>
          <code>{type}</code>
        </li>
      ))}
    </ul>
  );
}
