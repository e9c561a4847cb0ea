// A page of the console whose answers, rows and memory are watched.
import { settled } from '../visit.mjs';

const SHOWN_WITHIN_MS = 30_000;
const MEGABYTE = 2 ** 20;

/** Notes when the last answer of the list came, how long it took, and when the list had changed on the screen. */
const WATCH = `globalThis.seen = { answeredAt: 0, tookMs: 0, shownAt: 0 };
new PerformanceObserver((list) => {
  for (const { name, duration, responseEnd } of list.getEntries())
    if (new URL(name).pathname.endsWith('/requests')) Object.assign(seen, { answeredAt: responseEnd, tookMs: duration });
}).observe({ type: 'resource', buffered: true });
let before = '';
new MutationObserver(() => {
  const rows = document.querySelectorAll('main tbody tr');
  const now = rows.length > 0
    ? rows[0].querySelector('a')?.href + rows.length
    : /Searched to|No requests/.exec(document.querySelector('main')?.textContent ?? '')?.[0] ?? '';
  if (now === before) return;
  before = now;
  if (now !== '') requestAnimationFrame(() => { seen.shownAt = performance.now(); });
}).observe(document, { childList: true, subtree: true });`;

export async function watchedPage(context, baseUrl) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  await page.addInitScript(WATCH);
  /** Goes on when a later answer than this one is shown. */
  const shownAfter = async (answeredAt) => {
    const deadline = Date.now() + SHOWN_WITHIN_MS;
    while (Date.now() < deadline) {
      const seen = await page.evaluate('seen');
      if (seen.answeredAt > answeredAt && seen.shownAt >= seen.answeredAt)
        return { answerMs: seen.tookMs, shownMs: seen.shownAt - seen.answeredAt };
      await page.waitForTimeout(20);
    }
    throw new Error(`${page.url()} has not shown an answer.`);
  };
  return {
    page,
    /** Opens an address. @returns milliseconds until its heading is there. */
    async open(path) {
      const startedAt = performance.now();
      await page.goto(`${baseUrl}/console${path}`, { waitUntil: 'commit' });
      await page.getByRole('heading', { level: 1 }).waitFor();
      const usableMs = performance.now() - startedAt;
      await settled(page);
      return usableMs;
    },
    /** Opens an address of the list. @returns how long the answer took, and until it was shown. */
    async openList(path) {
      await this.open(path);
      return shownAfter(0);
    },
    /** Turns a page of the list over. @returns the same. */
    async turn(button) {
      const { answeredAt } = await page.evaluate('seen');
      await page.getByRole('button', { name: button }).click();
      return shownAfter(answeredAt);
    },
    nodes: () => page.evaluate(`document.querySelectorAll('*').length`),
    /** @returns of what the page keeps: megabytes, nodes and listeners. */
    async kept() {
      // The second collection takes what the first one's finalizers let go.
      for (let nth = 0; nth < 2; nth += 1) await session.send('HeapProfiler.collectGarbage');
      const { metrics } = await session.send('Performance.getMetrics');
      const of = (wanted) => metrics.find(({ name }) => name === wanted).value;
      return {
        heapMb: of('JSHeapUsedSize') / MEGABYTE,
        nodes: of('Nodes'),
        listeners: of('JSEventListeners'),
      };
    },
  };
}
