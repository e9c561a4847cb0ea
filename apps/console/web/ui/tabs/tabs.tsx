import { type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './tabs.module.css';

interface TabsProps<Key extends string> {
  readonly label: string;
  readonly value: Key;
  readonly onChange: (value: Key) => void;
  readonly tabs: readonly { readonly key: Key; readonly label: ReactNode; readonly panel: ReactNode }[];
}

/**
 * Panels of which one is shown. The address says which, where the page is told by its address. Arrow keys move the focus
 * from tab to tab; Enter, Space or a click shows one.
 */
export function Tabs<Key extends string>({ label, value, onChange, tabs }: TabsProps<Key>): ReactElement {
  const id = useId();
  const buttons = useRef(new Map<Key, HTMLButtonElement>());
  useEffect(() => {
    const tab = buttons.current.get(value);
    if (tab !== undefined) bringIntoSight(tab);
  }, [value]);
  const chosen = tabs.findIndex(({ key }) => key === value);
  const move = (event: KeyboardEvent, from: number) => {
    const to = tabs[placeAfter(event.key, from, tabs.length)];
    if (to === undefined) return;
    event.preventDefault();
    buttons.current.get(to.key)?.focus();
  };
  return (
    <div>
      <div role="tablist" className={styles.list} aria-label={label}>
        {tabs.map((tab, place) => (
          <button
            key={tab.key}
            ref={(button) => {
              if (button !== null) buttons.current.set(tab.key, button);
            }}
            type="button"
            role="tab"
            id={`${id}-${String(place)}`}
            aria-selected={tab.key === value}
            aria-controls={tab.key === value ? `${id}-panel` : undefined}
            tabIndex={tab.key === value ? 0 : -1}
            className={styles.tab}
            onClick={() => tab.key !== value && onChange(tab.key)}
            onKeyDown={(event) => move(event, place)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        key={value}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${String(chosen)}`}
        className={styles.panel}
      >
        {tabs[chosen]?.panel}
      </div>
    </div>
  );
}

/** A tab that the address has chosen may lie beyond the end of a narrow list. */
function bringIntoSight(tab: HTMLElement): void {
  const list = tab.parentElement;
  if (list === null) return;
  const beyond = tab.getBoundingClientRect().right - list.getBoundingClientRect().right;
  if (beyond > 0) list.scrollLeft += beyond;
}

/** Which tab a key moves the focus to, by its place; -1 for other keys. */
function placeAfter(key: string, from: number, count: number): number {
  switch (key) {
    case 'ArrowRight':
      return (from + 1) % count;
    case 'ArrowLeft':
      return (from + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return -1;
  }
}
