/** After so long without a key or a pointer the token is forgotten: a screen that was left is nobody's. */
export const IDLE_MS = 30 * 60_000;
const LOOK_MS = 15_000;

/** Calls `onIdle` when nothing was done for a while, also where the computer slept meanwhile. @returns what stops it. */
export function watchIdleness(onIdle: () => void): () => void {
  let last = Date.now();
  const stop = new AbortController();
  const note = () => {
    // An event that wakes a page that was idle is too late.
    if (Date.now() - last >= IDLE_MS) onIdle();
    last = Date.now();
  };
  for (const event of ['pointerdown', 'keydown', 'wheel'])
    document.addEventListener(event, note, { capture: true, passive: true, signal: stop.signal });
  const timer = setInterval(() => {
    if (Date.now() - last >= IDLE_MS) onIdle();
  }, LOOK_MS);
  return () => {
    stop.abort();
    clearInterval(timer);
  };
}
