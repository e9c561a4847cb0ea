import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type Page } from 'playwright-core';
import { workspaceRoot } from '../harness/app-process';
import { inBrowser, openBrowser } from '../harness/browser';
import { sharedSvc, type SharedSvc } from '../harness/shared-svc';

const ARTIFACTS = process.env['ARTIFACTS_DIR'] ?? join(workspaceRoot, 'artifacts');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Each screen and each colour scheme once: what is laid out wrong is so in both schemes. */
const looks = [
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { name: 'desktop', viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
] as const;

/** Keeps one route per chapter: axe compares every pair of elements, and all routes have the same markup. */
const FIRST_OF_EACH = `for (const more of document.querySelectorAll('article ~ article')) more.remove()`;

async function violationsOn(page: Page): Promise<unknown[]> {
  await page.evaluate(FIRST_OF_EACH);
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    'axe.run()',
  );
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}

inBrowser('the reference page in a browser', () => {
  let svc: SharedSvc;
  let browser: Browser;
  beforeAll(async () => {
    svc = await sharedSvc();
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it.each(looks)('is readable by all on a $name by $colorScheme, and asks for nothing else', async (look) => {
    const { name, viewport, colorScheme } = look;
    const context = await browser.newContext({ viewport, colorScheme });
    const page = await context.newPage();
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', (sent) => asked.push(new URL(sent.url()).pathname));
    page.on('console', (line) => complaints.push(line.text()));
    await page.goto(`${svc.baseUrl}/api/v1/docs`);
    expect(asked.filter((path) => path !== '/favicon.ico')).toEqual(['/api/v1/docs']);
    expect(complaints.filter((line) => !line.includes('favicon'))).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);

    await page.screenshot({ path: join(ARTIFACTS, 'reference', `${name}-${colorScheme}.png`) });
    await page.goto(`${svc.baseUrl}/api/v1/docs#createApiKey`);
    await page.screenshot({ path: join(ARTIFACTS, 'reference', `${name}-${colorScheme}-route.png`) });
    expect(await violationsOn(page)).toEqual([]);
    await context.close();
  });

  it('can be used by keyboard: the first link skips the table of contents', async () => {
    const page = await browser.newPage();
    await page.goto(`${svc.baseUrl}/api/v1/docs`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/#content$/);
    await page.close();
  });
});
