import { type ReactElement, type ReactNode } from 'react';
import { CopyButton } from './copy-button';
import styles from './text.module.css';

interface CodeSampleProps {
  /** Its name: `curl`, `Verify a delivery in Python`. */
  readonly label: string;
  /** The text that "Copy" copies. */
  readonly code: string;
  /** The code with its parts marked by `Mark`; the plain text without it. */
  readonly children?: ReactNode;
}

/** Code to copy. It scrolls by keyboard. */
export function CodeSample({ label, code, children }: CodeSampleProps): ReactElement {
  return (
    <div className={styles.code} translate="no">
      {/* A region that scrolls must be reachable by keyboard (WCAG 2.1.1). */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre role="region" aria-label={label} tabIndex={0}>
        <code>{children ?? code}</code>
      </pre>
      <div>
        <CopyButton text={code} what="code" isLabelled />
      </div>
    </div>
  );
}

interface MarkProps {
  readonly as: 'comment' | 'string' | 'keyword' | 'value';
  readonly children: ReactNode;
}

/** A part of code in its colour. */
export function Mark({ as, children }: MarkProps): ReactElement {
  return <span className={styles[as]}>{children}</span>;
}
