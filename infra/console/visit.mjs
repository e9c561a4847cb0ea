// A browser in which the owner has logged in.
import { chromium } from 'playwright-core';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

export async function visit({ base_url, owner_email, owner_password }, options = {}) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
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
