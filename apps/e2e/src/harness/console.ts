import { type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { type AnySvc } from './svc-process';

export interface ConsoleVisit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Problems that no page may have: errors in the browser's console, reports of the content security policy. */
  readonly problems: readonly string[];
}

export interface Visitor {
  readonly email: string;
  readonly password: string;
}

export const ownerOf = (svc: AnySvc): Visitor => ({
  email: svc.ready.owner_email,
  password: svc.ready.owner_password ?? '',
});

/** A browser of its own, in which somebody has logged in and opened a page of the console. Close its context. */
export async function visitConsole(
  browser: Browser,
  svc: AnySvc,
  path = '/console/',
  { visitor = ownerOf(svc), ...options }: BrowserContextOptions & { readonly visitor?: Visitor } = {},
): Promise<ConsoleVisit> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: svc.baseUrl });
  // The cookie of the answer is the context's, as if the form had been sent.
  const answer = await context.request.post(`${svc.baseUrl}/auth/login`, { data: visitor });
  if (!answer.ok()) throw new Error(`Logging in failed: ${String(answer.status())} ${await answer.text()}`);
  const problems: string[] = [];
  const page = await context.newPage();
  page.on('console', (message) => {
    // A refused call is an answer like another, which Chromium logs by itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto(svc.baseUrl + path);
  return { page, context, problems };
}
