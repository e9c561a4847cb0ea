/** As often as words like "5 sec ago" change. */
const TICK_MS = 5_000;

const followers = new Set<() => void>();
let stop: (() => void) | null = null;

/**
 * Calls back every 5 s while the tab is visible, and when it is shown again. All share one timer, because a list has fifty
 * times.
 *
 * @returns ends it.
 */
export function followClock(follower: () => void): () => void {
  followers.add(follower);
  stop ??= start();
  return () => {
    followers.delete(follower);
    if (followers.size > 0) return;
    stop?.();
    stop = null;
  };
}

function start(): () => void {
  const tick = () => {
    if (!document.hidden) for (const follower of followers) follower();
  };
  const timer = setInterval(tick, TICK_MS);
  document.addEventListener('visibilitychange', tick);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', tick);
  };
}
