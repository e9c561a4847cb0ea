import { type Page } from 'playwright-core';

/** Opens an address of the console, and resolves when the page shows what it has read. */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await settled(page);
}

export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  // A read may begin where another has ended.
  await page.waitForLoadState('networkidle');
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' });
}

/** The paths that the page asks for from now on, and that are not there. */
export function notFoundBy(page: Page): readonly string[] {
  const paths: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() === 404) paths.push(new URL(answer.url()).pathname);
  });
  return paths;
}

/** The addresses that the navigation leads to, and one of each kind that those pages lead to, without search parameters. */
export async function everyAddress(page: Page, baseUrl: string): Promise<string[]> {
  await openPage(page, `${baseUrl}/console/keys`);
  const listed = await linksOf(page, page.getByRole('navigation', { name: 'Console' }));
  const found = new Map(listed.map((path) => [kindOf(path), path]));
  for (const path of listed) {
    await openPage(page, baseUrl + path);
    for (const link of await linksOf(page, page.getByRole('main')))
      if (!found.has(kindOf(link))) found.set(kindOf(link), link);
  }
  return [...found.values()];
}

async function linksOf(page: Page, part: ReturnType<Page['getByRole']>): Promise<string[]> {
  const links = await part.getByRole('link').all();
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
  return addresses
    .map((address) => new URL(address ?? '', page.url()).pathname)
    .filter((path) => path.startsWith('/console/'));
}

/** A path without what tells one thing of a kind from another. */
const kindOf = (path: string): string =>
  path.replace(/[a-z]+_[0-9a-z]{20,}/g, '…').replace(/^(\/console\/models\/).+/, '$1…');
