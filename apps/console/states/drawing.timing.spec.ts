import { type Page } from 'playwright-core';
import { isQuietMachine } from './config';
import { documentedExample } from './documented-examples';
import { consoles, describePages, type Stub } from './stubbed-console';

const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
/** How much longer a hundred times as much may take: what a page draws is bounded. */
const RATIO_MAX = 10;
/** On a machine on which nothing else runs (CONTRIBUTING.md#the-console). */
const FILTERED_WITHIN_MS = 100;
const TURNED_WITHIN_MS = 500;

describePages('what much data does to the time until it is drawn', () => {
  const open = consoles();

  it('a key filters 1,000 models about as quickly as 10', async () => {
    const few = await filtering((await open({ path: '/models', answers: models(10) })).page, 10);
    const many = await filtering((await open({ path: '/models', answers: models(1_000) })).page, 1_000);
    expect(many / few).toBeLessThan(RATIO_MAX);
    if (isQuietMachine) expect(many).toBeLessThan(FILTERED_WITHIN_MS);
  });

  it('a press turns the pages of 10,000 groups about as quickly as of 300', async () => {
    const few = await turning((await open({ answers: { 'GET /usage': usageOf(300) } })).page);
    const many = await turning((await open({ answers: { 'GET /usage': usageOf(10_000) } })).page);
    expect(many / few).toBeLessThan(RATIO_MAX);
    if (isQuietMachine) expect(many).toBeLessThan(TURNED_WITHIN_MS);
  });
});

const [model] = (documentedExample('GET', `${BELOW}/catalog/models`)?.body as { data: [object] }).data;

/** That many models, in the pages of the API. */
const models = (count: number): Readonly<Record<string, Stub>> => ({
  'GET /catalog/models': ({ query }) => {
    const from = Number(query.get('cursor') ?? 0);
    const until = Math.min(count, from + 100);
    const data = Array.from({ length: until - from }, (_, place) => ({
      ...model,
      id: `acme/model-${String(from + place)}`,
      display_name: `Model ${String(from + place)}`,
    }));
    const next = until < count ? String(until) : null;
    return { body: { object: 'list', data, has_more: next !== null, next_cursor: next } };
  },
});

const written = (count: number) => count.toLocaleString('en-US');

/** In the page: `drawn` is the milliseconds from the next key to the words. */
const watchNextKey = (words: string) => `globalThis.drawn = new Promise((resolve) => {
  addEventListener('keydown', () => {
    const startedAt = performance.now();
    const look = () =>
      document.body.innerText.includes('${words}')
        ? resolve(performance.now() - startedAt)
        : requestAnimationFrame(look);
    look();
  }, { once: true, capture: true });
}), null`;

/** Milliseconds until all are drawn again. The quickest of five is what other processes slow down least. */
async function filtering(page: Page, count: number): Promise<number> {
  const all = `${written(count)} models of ${written(count)}`;
  await page.getByText(all).waitFor();
  await page.keyboard.press('/');
  const took: number[] = [];
  for (let round = 0; round < 5; round++) {
    await page.keyboard.type('x');
    await page.getByText('No models match these filters.').waitFor();
    await page.evaluate(watchNextKey(all));
    await page.keyboard.press('Backspace');
    took.push(await page.evaluate<number>('drawn'));
  }
  return Math.min(...took);
}

const usage = documentedExample('GET', `${BELOW}/usage`)?.body as { data: [object] };

/** Rows of that many models, today. */
const usageOf =
  (count: number): Stub =>
  ({ query }) => {
    const groups = (query.get('group_by') ?? '').split(',');
    const today = new Date().toISOString().slice(0, 10);
    const place = {
      day: groups.includes('day') ? today : undefined,
      hour: groups.includes('hour') ? `${today}T00:00:00.000Z` : undefined,
    };
    const shown = groups.includes('model') ? Math.min(count, Number(query.get('top') ?? count)) : 1;
    const data = Array.from({ length: shown }, (_, nth) => ({
      ...usage.data[0],
      ...place,
      model: `acme/${String(nth)}`,
      other: undefined,
    }));
    const rest = shown < count ? [{ ...usage.data[0], ...place, model: undefined, other: true }] : [];
    return { body: { ...usage, data: [...data, ...rest] } };
  };

/** In the page: until what the press changed is drawn. */
const TURN_PAGES = `(async () => {
  const took = [];
  const captions = [...document.querySelectorAll('caption')];
  const rows = () => captions.find(({ textContent }) => textContent.startsWith('Usage by')).closest('table').tBodies[0].textContent;
  for (let turn = 0; turn < 5; turn += 1) {
    const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent.includes('Next page'));
    const before = rows();
    const startedAt = performance.now();
    button.click();
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    took.push(performance.now() - startedAt);
    if (rows() === before) throw new Error('The page was not turned');
  }
  return Math.min(...took);
})()`;

async function turning(page: Page): Promise<number> {
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByRole('button', { name: 'Next page' }).waitFor();
  return page.evaluate<number>(TURN_PAGES);
}
