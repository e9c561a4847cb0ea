import { Menu as BaseMenu } from '@base-ui/react/menu';
import { type ReactElement, type ReactNode } from 'react';
import { CheckIcon } from '../icons/icons';
import { usePopupContainer } from '../popup-container';
import styles from './popup.module.css';

interface MenuProps {
  /** The button that opens it: a `Button` or another element that takes the props and the ref of one. */
  readonly trigger: ReactElement;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
  readonly isOpenAtFirst?: boolean;
}

/** A menu of actions: `MenuItem`, `MenuChoices`, `MenuSeparator`. */
export function Menu(props: MenuProps): ReactElement {
  const { trigger, children, align = 'end', isOpenAtFirst = false } = props;
  const container = usePopupContainer();
  return (
    <BaseMenu.Root modal={false} defaultOpen={isOpenAtFirst}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal container={container}>
        <BaseMenu.Positioner className={styles.positioner} align={align} sideOffset={4}>
          <BaseMenu.Popup className={styles.popup}>{children}</BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

interface MenuItemProps {
  readonly children: ReactNode;
  readonly onSelect?: () => void;
  readonly icon?: ReactNode;
  readonly isDanger?: boolean;
  /** Another element for it: a link. */
  readonly render?: ReactElement;
}

export function MenuItem({
  children,
  onSelect,
  icon,
  isDanger = false,
  render,
}: MenuItemProps): ReactElement {
  return (
    <BaseMenu.Item
      className={isDanger ? `${styles.item} ${styles.danger}` : styles.item}
      onClick={onSelect}
      nativeButton={false}
      {...(render && { render })}
    >
      {icon}
      <span>{children}</span>
    </BaseMenu.Item>
  );
}

interface MenuChoicesProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly choices: readonly {
    readonly value: Value;
    readonly label: ReactNode;
    readonly note?: ReactNode;
  }[];
}

/** One of several, with a check mark. */
export function MenuChoices<Value extends string>(props: MenuChoicesProps<Value>): ReactElement {
  const { label, value, onChange, choices } = props;
  return (
    <BaseMenu.Group>
      <BaseMenu.GroupLabel className={styles.label}>{label}</BaseMenu.GroupLabel>
      <BaseMenu.RadioGroup value={value} onValueChange={(next: Value) => onChange(next)}>
        {choices.map((choice) => (
          <BaseMenu.RadioItem key={choice.value} value={choice.value} className={styles.item} closeOnClick>
            <BaseMenu.RadioItemIndicator className={styles.mark} keepMounted>
              <CheckIcon />
            </BaseMenu.RadioItemIndicator>
            <span>
              {choice.label}
              {choice.note !== undefined && <small>{choice.note}</small>}
            </span>
          </BaseMenu.RadioItem>
        ))}
      </BaseMenu.RadioGroup>
    </BaseMenu.Group>
  );
}

export function MenuSeparator(): ReactElement {
  return <BaseMenu.Separator className={styles.separator} />;
}

/** Words at the top of a menu, which cannot be chosen. */
export function MenuNote({ children }: { readonly children: ReactNode }): ReactElement {
  return <div className={styles.label}>{children}</div>;
}
