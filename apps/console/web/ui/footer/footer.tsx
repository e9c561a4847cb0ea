import { type ReactElement, type ReactNode } from 'react';
import styles from './footer.module.css';

interface FooterProps {
  /** Buttons, the safe one first. */
  readonly children: ReactNode;
  /** One line above the buttons. */
  readonly note?: ReactNode;
}

/**
 * The buttons at the end of a form or a dialog. They stay in sight while what is above them is scrolled: give the element
 * around them `display: flex`, because in a grid they would stay in their row.
 */
export const Footer = ({ children, note }: FooterProps): ReactElement => (
  <div className={styles.footer}>
    {note}
    <div className={styles.buttons}>{children}</div>
  </div>
);
