import { preferences } from '../../browser/preferences';
import { hasDialog, openShellDialog } from './shell-dialogs';

/** Follows the single letters of the keyboard. @returns what stops it. */
export function followShortcuts(): () => void {
  const stop = new AbortController();
  document.addEventListener(
    'keydown',
    (event) => {
      if (isForUs(event) && press(event.key)) event.preventDefault();
    },
    stop,
  );
  return () => stop.abort();
}

function isForUs({ ctrlKey, metaKey, altKey, target, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented || !preferences.get().hasShortcuts || hasDialog())
    return false;
  return !(
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], [role="combobox"], [role="listbox"]')
  );
}

/** @returns whether the key meant something. */
function press(key: string): boolean {
  if (key === '?') {
    openShellDialog('shortcuts');
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
