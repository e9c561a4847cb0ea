// A browser in which the owner has logged in.
import { launchBrowser } from '../local/browser.mjs';

export async function visit({ base_url, owner_email, owner_password }, options = {}) {
  const browser = await launchBrowser();
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  await context.request.post(`${base_url}/auth/login`, {
    data: { email: owner_email, password: owner_password },
  });
  return { context, page: await context.newPage(), close: () => browser.close() };
}

/** Resolves when the page shows what it has read. */
export async function settled(page) {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' });
}
