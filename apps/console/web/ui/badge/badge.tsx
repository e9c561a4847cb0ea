import { type ReactElement, type ReactNode } from 'react';
import styles from './badge.module.css';

interface BadgeProps {
  /** Beside the word, which says the state: colour alone would not. */
  readonly tone?: 'neutral' | 'good' | 'bad' | 'warn' | 'accent';
  readonly children: ReactNode;
}

/** A state in one or two words, with a mark of its colour. */
export function Badge({ tone = 'neutral', children }: BadgeProps): ReactElement {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}
