import { existsSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import axe from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
  type Request,
  type Route,
} from 'playwright-core';
import { chromiumPath, isContinuousIntegration } from './config';
import { securityHeaders } from '../src/security-headers';
import { documentedExample, documentedPermissions } from './documented-examples';

const ORIGIN = 'http://localhost:4321';
const BUILT = join(__dirname, '../../../dist/apps/console/web');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

interface StubbedAnswer {
  readonly status?: number;
  /** Sent as JSON; a text is sent as it is, for numbers that a `number` would round. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
/** One answer, or one for each call. A promise that does not resolve leaves the page waiting. */
export type Stub = StubbedAnswer | ((call: StubbedCall) => StubbedAnswer | Promise<StubbedAnswer>);

interface StubbedCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it was sent: its digits can be checked. */
  readonly body: string | null;
}

export interface StubbedOptions {
  /** Below `/console`, with its search parameters. */
  readonly path?: string;
  readonly role?: string;
  /** Every permission without it. */
  readonly permissions?: readonly string[];
  /** By `GET /keys` (below the organization) or `GET /auth/session`. Other calls get the example of the documents. */
  readonly answers?: Readonly<Record<string, Stub>>;
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  readonly timezone?: string;
  /** What the browser's clock says, and goes on saying. */
  readonly now?: string;
}

export interface StubbedConsole {
  readonly page: Page;
  /** The API's calls so far. */
  readonly calls: readonly StubbedCall[];
  /** What must not happen: errors of the console, reports of the policy, calls that no document describes. */
  readonly problems: readonly string[];
  readonly close: () => Promise<void>;
}

/** `describe` where a Chromium is found; in CI it must be. */
export const describePages =
  chromiumPath === undefined && !isContinuousIntegration ? describe.skip : describe;

/** One for the specs of a file: opened in `beforeAll`, closed in `afterAll`. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ args: ['--no-sandbox'], ...(chromiumPath && { executablePath: chromiumPath }) });

/** The built console over a stubbed API, under its own content security policy. */
export async function openStubbed(browser: Browser, options: StubbedOptions = {}): Promise<StubbedConsole> {
  const { path = '/', width = 1280, scheme = 'light', timezone = 'UTC' } = options;
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: scheme,
    timezoneId: timezone,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const calls: StubbedCall[] = [];
  const problems: string[] = [];
  await context.route('**/*', (route) => answer(route, options, calls, problems));
  if (options.now !== undefined) await context.clock.setFixedTime(options.now);
  const page = await watched(context, problems);
  await page.goto(`${ORIGIN}/console${path}`);
  return { page, calls, problems, close: () => context.close() };
}

async function watched(context: BrowserContext, problems: string[]): Promise<Page> {
  const page = await context.newPage();
  page.on('console', (message) => {
    // A refused call is an answer like another, which Chromium logs by itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  return page;
}

async function answer(
  route: Route,
  options: StubbedOptions,
  calls: StubbedCall[],
  problems: string[],
): Promise<void> {
  const request = route.request();
  const { pathname } = new URL(request.url());
  if (pathname.startsWith('/console')) return route.fulfill(builtFile(pathname));
  const call = callOf(request);
  calls.push(call);
  const { status = 200, body, headers = {} } = await answerOf(call, options, problems);
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  await route
    .fulfill({ status, body: text, headers: { 'content-type': 'application/json', ...headers } })
    // The page may have gone on before its answer came.
    .catch(() => undefined);
}

function callOf(request: Request): StubbedCall {
  const { pathname, searchParams } = new URL(request.url());
  return {
    method: request.method(),
    path: pathname,
    query: searchParams,
    headers: request.headers(),
    body: request.postData(),
  };
}

async function answerOf(
  call: StubbedCall,
  options: StubbedOptions,
  problems: string[],
): Promise<StubbedAnswer> {
  const short = call.path.replace(/^\/api\/v1\/organizations\/[^/]+/, '');
  const { [`${call.method} ${short}`]: stub } = options.answers ?? {};
  if (stub !== undefined) return typeof stub === 'function' ? stub(call) : stub;
  if (call.path === '/auth/session') return { body: stubbedSession(options) };
  const example = documentedExample(call.method, call.path);
  if (example !== null) return example;
  problems.push(`No document describes ${call.method} ${call.path}.`);
  return { status: 404 };
}

/** The session of the document's example, with the role and the permissions of the options. */
export function stubbedSession({ role = 'owner', permissions }: StubbedOptions = {}): Record<
  string,
  unknown
> {
  const session = documentedExample('GET', '/auth/session')?.body as {
    organizations: Record<string, unknown>[];
  };
  const organizations = session.organizations.map((organization) => ({
    ...organization,
    role,
    state: 'active',
    permissions: permissions ?? documentedPermissions(),
  }));
  return { ...session, organizations, expires_at: '2099-01-01T00:00:00.000Z' };
}

function builtFile(pathname: string): { status: number; body?: Buffer; headers: Record<string, string> } {
  const relative = pathname.slice('/console'.length);
  const isPage = extname(relative) === '';
  const file = join(BUILT, isPage ? 'index.html' : relative);
  if (!existsSync(file)) return { status: 404, headers: {} };
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  return { status: 200, body: readFileSync(file), headers: { ...securityHeaders, 'content-type': type } };
}

/** What axe finds, all rules of it: `rule: element` each. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] } as never),
  )) as axe.AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

/** How far the page can be scrolled sideways, in pixels: 0 as it should be. */
export const sidewaysScroll = (page: Page): Promise<number> =>
  page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
