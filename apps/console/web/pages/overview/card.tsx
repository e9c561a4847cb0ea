import { type ReactElement, type ReactNode } from 'react';
import styles from './overview.module.css';

interface CardProps {
  /** A link to what explains it, where there is one. */
  readonly label: ReactNode;
  readonly value: ReactNode;
  readonly unit?: string;
  readonly children?: ReactNode;
}

/** One figure, what it was before, and what to know about it. */
export function Card({ label, value, unit, children }: CardProps): ReactElement {
  return (
    <li className={styles.card}>
      <h2>{label}</h2>
      <p className={styles.figure}>
        <span className="number">{value}</span>
        {unit !== undefined && <span className={styles.unit}>{unit}</span>}
      </p>
      <div className={styles.notes}>{children}</div>
    </li>
  );
}
