import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { workspaceRoot } from './app-process';
import { artifactsFolder, browserOfThisRun, isCi } from './config';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A machine without a browser checks the rest; CI checks everything. */
export const inBrowser = browserOfThisRun !== '' || isCi ? describe : describe.skip;

/** A connection to the browser of this run. To close it closes the pages that it has opened. */
export const openBrowser = (): Promise<Browser> => chromium.connect(browserOfThisRun);

const SCREENS = [
  { name: 'phone', size: { width: 375, height: 812 } },
  { name: 'desktop', size: { width: 1280, height: 800 } },
] as const;
const SCHEMES = ['dark', 'light'] as const;

/** Looks at the page on a phone and on a desktop, light and dark. Leaves it on a light desktop. */
export async function lookAtEachWay(page: Page, name: string): Promise<void> {
  for (const { name: screen, size } of SCREENS) {
    await page.setViewportSize(size);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await lookAt(page, `${name}-${screen}-${colorScheme}`);
    }
  }
}

/** Pictures the page, and lets axe look for what keeps people out. */
export async function lookAt(page: Page, name: string): Promise<void> {
  const path = join(artifactsFolder ?? join(workspaceRoot, 'artifacts'), `${name}.png`);
  await page.screenshot({ path, fullPage: true });
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    'axe.run()',
  );
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  const isWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
  expect(isWide).toBe(false);
}
