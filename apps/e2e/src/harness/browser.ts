import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { workspaceRoot } from './app-process';
import { artifactsFolder, chromiumPath, isCi } from './config';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A machine without a browser checks the rest; CI checks everything. */
export const inBrowser = existsSync(chromiumPath) || isCi ? describe : describe.skip;

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });

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
