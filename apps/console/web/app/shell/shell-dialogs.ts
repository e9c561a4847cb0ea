export type ShellDialog = 'commands' | 'shortcuts';

const OPEN = 'svc-open';

/** Opens a dialog of the shell from a button. */
export const openShellDialog = (dialog: ShellDialog): boolean =>
  document.dispatchEvent(new CustomEvent(OPEN, { detail: dialog }));

/** Follows those buttons, and Ctrl or Cmd+K. @returns what stops it. */
export function followShellDialogs(open: (dialog: ShellDialog) => void): () => void {
  const stop = new AbortController();
  document.addEventListener(OPEN, (event) => open((event as CustomEvent<ShellDialog>).detail), stop);
  document.addEventListener(
    'keydown',
    (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      if (event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      if (!hasDialog()) open('commands');
    },
    stop,
  );
  return () => stop.abort();
}

export const hasDialog = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;
