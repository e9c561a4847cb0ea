/** How often the role is read again while the tab is visible, and how often at most when it is shown again. */
const EVERY_MS = 5 * 60_000;
const AT_MOST_MS = 30_000;

/** Reads the session again every 5 minutes and whenever the tab is shown, so that a changed role is seen. */
export function keepSessionFresh(refresh: () => Promise<void>): void {
  let last = Date.now();
  const read = (atLeastMs: number): void => {
    if (document.hidden || Date.now() - last < atLeastMs) return;
    last = Date.now();
    void refresh();
  };
  setInterval(() => read(EVERY_MS / 2), EVERY_MS);
  window.addEventListener('focus', () => read(AT_MOST_MS));
  document.addEventListener('visibilitychange', () => read(AT_MOST_MS));
}
