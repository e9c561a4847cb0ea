import { preferences } from '../../browser/preferences';

export type ShellDialog = 'commands' | 'shortcuts';

const OPEN = 'svc-open';

/** Opens a dialog of the shell from a button. */
export const openShellDialog = (dialog: ShellDialog): boolean =>
  document.dispatchEvent(new CustomEvent(OPEN, { detail: dialog }));

/** Follows the keyboard. @returns what stops it. */
export function followShortcuts(open: (dialog: ShellDialog) => void): () => void {
  const stop = new AbortController();
  document.addEventListener(OPEN, (event) => open((event as CustomEvent<ShellDialog>).detail), stop);
  document.addEventListener(
    'keydown',
    (event) => {
      if (
        (event.ctrlKey || event.metaKey) &&
        !event.altKey &&
        !event.shiftKey &&
        event.key.toLowerCase() === 'k'
      ) {
        event.preventDefault();
        if (!hasDialog()) open('commands');
      } else if (isForUs(event) && press(event.key, open)) event.preventDefault();
    },
    stop,
  );
  return () => stop.abort();
}

const hasDialog = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;

function isForUs({ ctrlKey, metaKey, altKey, target, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented || !preferences.get().hasShortcuts || hasDialog())
    return false;
  return !(
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], [role="combobox"], [role="listbox"]')
  );
}

/** @returns whether the key meant something. */
function press(key: string, open: (dialog: ShellDialog) => void): boolean {
  if (key === '?') {
    open('shortcuts');
    return true;
  }
  if (key === '/') return focus(document.querySelector('search [data-filter]'));
  if (key === 'j') return focus(rowFrom(1));
  return key === 'k' && focus(rowFrom(-1));
}

function rowFrom(step: 1 | -1): Element | null {
  const rows = [...document.querySelectorAll('main [data-row]')];
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  return rows[current === -1 ? 0 : current + step] ?? null;
}

function focus(element: Element | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  element.scrollIntoView({ block: 'nearest' });
  return true;
}
