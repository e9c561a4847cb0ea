import { type ComponentProps, type ReactElement, type ReactNode } from 'react';
import styles from './button.module.css';

type Native = Omit<ComponentProps<'button'>, 'type' | 'className' | 'disabled'>;

export interface ButtonProps extends Native {
  readonly variant?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly type?: 'button' | 'submit';
  readonly icon?: ReactNode;
  /** Its call is running: it cannot be pressed again, and keeps the focus. */
  readonly isBusy?: boolean | undefined;
  /** Why the state of things forbids it. It stays reachable by keyboard, so that the reason can be read. */
  readonly disabledReason?: string | null | undefined;
  readonly isDisabled?: boolean | undefined;
}

/** A button. Busy and disabled are said by `aria-disabled`, which leaves the focus where it is. */
export function Button(props: ButtonProps): ReactElement {
  const { variant = 'plain', type = 'button', icon, isBusy, isDisabled, disabledReason, ...native } = props;
  const { children, onClick, ...rest } = native;
  const isOff = isBusy === true || isDisabled === true || typeof disabledReason === 'string';
  return (
    <button
      {...rest}
      {...(typeof disabledReason === 'string'
        ? { 'aria-description': disabledReason, 'data-tip': disabledReason }
        : {})}
      type={type}
      className={`${styles.button} ${styles[variant]}`}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      onClick={isOff ? (event) => event.preventDefault() : onClick}
    >
      {isBusy ? <span className={styles.spinner} /> : icon}
      {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon' | 'variant'> {
  /** Its name, for screen readers and as its tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
}

export function IconButton({ label, icon, ...rest }: IconButtonProps): ReactElement {
  return (
    <span className={styles.iconOnly}>
      <Button variant="quiet" icon={icon} aria-label={label} data-tip={label} {...rest} />
    </span>
  );
}
