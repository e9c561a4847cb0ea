// The list of requests in a browser: its first page, its filters, twenty pages on and back, and one of its requests.
import { settled } from '../visit.mjs';
import { p95 } from './bar.mjs';
import { watchedPage } from './watched-page.mjs';

const SHOWN_MS = 100;
const ANSWER_MS = 300;
const NODES = 3_000;
const HEAP_MB = 10;
const USABLE_MS = 500;
const PAGES = 20;
const TIMES = 5;

const addresses = {
  'the first page': '/requests',
  'a filter': '/requests?status=failed',
  'a span of time': '/requests?after=2026-01-01T00:00:00Z&model=openai/gpt-5.4',
  'several filters': '/requests?model=openai/gpt-5.4,meta/llama-3.3-70b&stream=true&first_token=200',
  'a filter that nothing meets': '/requests?error=nothing_like_it',
};

export async function measureList(context, { base_url }, bar) {
  const watched = await watchedPage(context, base_url);
  await watched.open('/keys');
  for (const [what, address] of Object.entries(addresses)) await measureAddress(watched, bar, what, address);
  await measureContinue(watched, bar);
  await measurePages(watched, bar);
  const usable = [];
  for (let nth = 0; nth < TIMES; nth += 1) usable.push(await watched.open('/?period=30d&group=model'));
  bar.atMost(USABLE_MS, 'ms', 'overview usable, p95', p95(usable));
  await watched.page.close();
}

async function measureAddress(watched, bar, what, address) {
  const seen = [];
  for (let nth = 0; nth < TIMES; nth += 1) seen.push(await watched.openList(address));
  bar.atMost(ANSWER_MS, 'ms', `browser, ${what}: answer, p95`, p95(seen.map(({ answerMs }) => answerMs)));
  bar.atMost(
    SHOWN_MS,
    'ms',
    `browser, ${what}: shown after it, p95`,
    p95(seen.map(({ shownMs }) => shownMs)),
  );
  bar.atMost(NODES, 'nodes', `browser, ${what}: nodes`, await watched.nodes());
}

/** A search that has found nothing goes on where it stopped, until all is searched. */
async function measureContinue(watched, bar) {
  await watched.openList(addresses['a filter that nothing meets']);
  const goOn = watched.page.getByRole('button', { name: 'Continue' });
  const answers = [];
  while (answers.length < TIMES && (await goOn.isVisible())) {
    const answered = watched.page.waitForResponse((response) => response.url().includes('cursor='));
    await goOn.click();
    await (await answered).finished();
    const { responseEnd, requestStart } = (await answered).request().timing();
    answers.push(responseEnd - requestStart);
    await settled(watched.page);
  }
  const what = 'browser, search continued: answer, p95';
  if (answers.length > 0) bar.atMost(ANSWER_MS, 'ms', what, p95(answers));
  else bar.unmeasured(what, 'so few requests are searched at once');
}

async function measurePages(watched, bar) {
  await watched.openList('/requests');
  await watched.turn('Next page');
  const { heapMb } = await watched.kept();
  const seen = [];
  for (let nth = 0; nth < PAGES; nth += 1) seen.push(await watched.turn('Next page'));
  bar.atMost(ANSWER_MS, 'ms', `${PAGES} pages on: answer, p95`, p95(seen.map(({ answerMs }) => answerMs)));
  bar.atMost(
    SHOWN_MS,
    'ms',
    `${PAGES} pages on: shown after it, p95`,
    p95(seen.map(({ shownMs }) => shownMs)),
  );
  bar.atMost(NODES, 'nodes', `${PAGES} pages on: nodes`, await watched.nodes());
  bar.atMost(HEAP_MB, 'MB', `${PAGES} pages on: heap grown by`, (await watched.kept()).heapMb - heapMb);
  const back = [];
  for (let nth = 0; nth < PAGES; nth += 1) {
    const startedAt = performance.now();
    const first = await firstRow(watched.page);
    await watched.page.getByRole('button', { name: 'Previous page' }).click();
    while ((await firstRow(watched.page)) === first) await watched.page.waitForTimeout(5);
    back.push(performance.now() - startedAt);
  }
  // A page that was read before may be shown before it is read again.
  bar.atMost(ANSWER_MS + SHOWN_MS, 'ms', `${PAGES} pages back: shown, p95`, p95(back));
  await measureOne(watched, bar);
}

const firstRow = (page) => page.evaluate(`document.querySelector('main tbody a')?.href`);

async function measureOne({ page }, bar) {
  const times = [];
  for (let nth = 1; nth <= TIMES; nth += 1) {
    const startedAt = performance.now();
    await page.getByRole('row').nth(nth).getByRole('link').first().click();
    await page.getByRole('dialog', { name: 'Request' }).getByRole('list', { name: 'Attempts' }).waitFor();
    times.push(performance.now() - startedAt);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  bar.atMost(ANSWER_MS + SHOWN_MS, 'ms', 'one request beside the list: shown, p95', p95(times));
}
