import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { browserOfThisRun, isContinuousIntegration, looksAtAll } from './config';
import { documentedExample, documentedPermissions, type Example } from './documented-examples';
import { queryProblems } from './query-problems';
import {
  NOWHERE,
  serveStubs,
  type Application,
  type Stub,
  type StubbedAnswer,
  type StubbedCall,
} from './stub-server';

export { type Stub } from './stub-server';

const HEIGHT = 800;

export interface StubbedOptions {
  /** The console without it. */
  readonly application?: Application;
  /** Below the application's address, with its search parameters. */
  readonly path?: string;
  /** Of the operator's console: leaves the page that asks for the token. */
  readonly isSignedOut?: boolean;
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
  /** How many things a documented list has: as many as its example, one, without it. */
  readonly listed?: number;
  /** The errors that the test brings about. */
  readonly expects?: RegExp;
}

export interface StubbedConsole {
  readonly page: Page;
  /** The API's calls so far. */
  readonly calls: readonly StubbedCall[];
  /** What must not happen: errors of the console, reports of the policy, calls or queries that no document describes. */
  readonly problems: readonly string[];
  readonly close: () => Promise<void>;
}

/** `describe` where there is a browser; in CI there must be. */
export const describePages = browserOfThisRun === '' && !isContinuousIntegration ? describe.skip : describe;

/** A connection to the browser of this run. To close it closes the pages that it has opened. */
export const openBrowser = (): Promise<Browser> => chromium.connect(browserOfThisRun);

let shared: Promise<Browser> | undefined;

/**
 * Opens consoles over the one connection of the spec file. A console is closed after its test, which fails for what must not
 * happen in it.
 */
export function consoles(): (options?: StubbedOptions) => Promise<StubbedConsole> {
  let opened: StubbedConsole | undefined;
  afterEach(async () => {
    const problems = opened?.problems ?? [];
    await opened?.close();
    opened = undefined;
    expect(problems).toEqual([]);
  });
  return async (options) => {
    await opened?.close();
    opened = await openStubbed(await (shared ??= openBrowser()), options);
    return opened;
  };
}

afterAll(async () => (await shared)?.close());

/** The built console over a stubbed API, under its own content security policy. */
export async function openStubbed(browser: Browser, options: StubbedOptions = {}): Promise<StubbedConsole> {
  const {
    application = 'console',
    path = '/',
    width = 1280,
    scheme = 'light',
    isSignedOut = false,
  } = options;
  const page = await pageOf(browser, options);
  const calls: StubbedCall[] = [];
  const problems: string[] = [];
  const origin = await serveStubs(browser, async (call) => {
    calls.push(call);
    problems.push(...queryProblems(call));
    return answerOf(call, options, problems);
  });
  watch(page, (problem) => options.expects?.test(problem) !== true && problems.push(problem));
  await page.setViewportSize({ width, height: HEIGHT });
  await page.emulateMedia({ colorScheme: scheme });
  await page.goto(`${origin}/${application}${path}`);
  if (application === 'operator' && !isSignedOut) await signIn(page);
  return { page, calls, problems, close: () => leave(page, origin) };
}

/** What the operator's console is signed in with. */
export const OPERATORS_TOKEN = 'svc_pt_of-a-spec-0123456789';

export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Operator’s token').fill(OPERATORS_TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();
  // A dialog that the address opens hides the rest from roles.
  await page.getByText('Sign out', { exact: true }).waitFor();
}

const known = new WeakMap<Browser, Map<string, Promise<Page>>>();

/** The page of the consoles before: its process has the application's code already. A clock has a page of its own. */
function pageOf(browser: Browser, { timezone = 'UTC', now }: StubbedOptions): Promise<Page> {
  const pages = known.get(browser) ?? new Map<string, Promise<Page>>();
  known.set(browser, pages);
  const name = `${timezone} ${now ?? ''}`;
  const page = pages.get(name) ?? newPage(browser, timezone, now);
  pages.set(name, page);
  return page;
}

async function newPage(browser: Browser, timezone: string, now: string | undefined): Promise<Page> {
  const context = await browser.newContext({
    timezoneId: timezone,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  if (now !== undefined) await context.clock.setFixedTime(now);
  return context.newPage();
}

/** Leaves nothing of a console to the next one. */
async function leave(page: Page, origin: string): Promise<void> {
  const context = page.context();
  page.removeAllListeners();
  // A changed form asks.
  page.on('dialog', (dialog) => void dialog.accept());
  await context.setOffline(false);
  await page.evaluate('localStorage.clear(), sessionStorage.clear()').catch(() => undefined);
  await page.goto(new URL(NOWHERE, origin).href);
  await page.mouse.move(0, 0);
  const others = context.pages().filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
}

function watch(page: Page, report: (problem: string) => unknown): void {
  page.on('console', (message) => {
    // A refused call is an answer like another, which Chromium logs by itself.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      report(message.text());
  });
  page.on('pageerror', (error) => report(String(error)));
}

const noIncidents = { object: 'list', data: [], has_more: false, next_cursor: null };

async function answerOf(
  call: StubbedCall,
  options: StubbedOptions,
  problems: string[],
): Promise<StubbedAnswer> {
  const short = call.path.replace(/^\/api\/v1\/organizations\/[^/]+/, '');
  const { [`${call.method} ${short}`]: stub } = options.answers ?? {};
  if (stub !== undefined) return typeof stub === 'function' ? stub(call) : stub;
  // Else every page would have the banner of the example.
  if (call.method === 'GET' && short === '/incidents') return { body: noIncidents };
  if (call.path === '/auth/session') return { body: stubbedSession(options) };
  const example = documentedExample(call.method, call.path);
  if (example !== null) return listed(example, options.listed);
  problems.push(`No document describes ${call.method} ${call.path}.`);
  return { status: 404 };
}

/** A documented list of several: its one thing again, with other ids. */
function listed(example: Example, count: number | undefined): StubbedAnswer {
  if (count === undefined || example.body === undefined) return example;
  const { data: [only] = [], ...rest } = example.body as { data?: readonly { id?: string }[] };
  if (only?.id === undefined) return example;
  const { id } = only;
  const data = Array.from({ length: count }, (_, nth) => ({
    ...only,
    id: nth === 0 ? id : `${id.slice(0, -2)}${String(nth).padStart(2, '0')}`,
  }));
  return { ...example, body: { ...rest, data } };
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

/** Of WCAG 2.2, which axe leaves out unless it is asked for it. */
const ASKED_FOR = { 'target-size': { enabled: true } };

/**
 * While the list of a field is open, Base UI hides the rest of the page from screen readers. Nothing of it gets the focus: Tab
 * closes the list first.
 */
const OPEN_LIST = 'input[role=combobox][aria-expanded=true]';
const HIDDEN_BY_LIST = {
  'aria-hidden-focus': { enabled: false },
  'page-has-heading-one': { enabled: false },
};

/** Below what is open over the page, a target is covered for as long as that is open: nobody clicks it there. */
const OPEN_POPUPS =
  '[data-base-ui-portal]:has([role=dialog], [role=alertdialog], [role=menu], [role=listbox])';

/** What axe finds, all rules of it: `rule: element` each. */
export async function axeViolations(page: Page): Promise<string[]> {
  // It is a megabyte, which a page that stays need not get again.
  if (!(await page.evaluate('globalThis.axe !== undefined'))) await page.evaluate(axe.source);
  const hidden = (await page.locator(OPEN_LIST).count()) > 0 && HIDDEN_BY_LIST;
  const options = { resultTypes: ['violations'], elementRef: true, rules: { ...ASKED_FOR, ...hidden } };
  return page.evaluate<string[]>(`axe.run(${JSON.stringify(options)}).then(({ violations }) => {
    const popups = [...document.querySelectorAll('${OPEN_POPUPS}')];
    const isBehindPopup = (element) => popups.length > 0 && !popups.some((popup) => popup.contains(element));
    return violations.flatMap(({ id, nodes }) => nodes
      .filter(({ element }) => id !== 'target-size' || !isBehindPopup(element))
      .map(({ html }) => id + ': ' + html));
  })`);
}

/** The look in which most is laid out wrong, or lacks contrast, where anything is. */
const NARROW_AND_DARK: Look = { colorScheme: 'dark', width: 375 };

const LOOKS: readonly Look[] = [
  NARROW_AND_DARK,
  { colorScheme: 'light', width: 375 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'light', width: 1440 },
];

interface Look {
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

/** Until what is shown has taken on a theme and a width. */
const DRAWN = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))';

/** What axe finds and what scrolls sideways: in one look, and in all of them each night (`npm run test:console`). */
export const problemsOfLook = (page: Page): Promise<string[]> =>
  problemsOf(page, looksAtAll ? LOOKS : [NARROW_AND_DARK]);

/**
 * The same of a state, which differs from its page by a message or a dialog. Axe takes longer than all else of a test, and
 * the parts of the states are those of every page: it looks at them each night.
 */
export const problemsOfState = (page: Page): Promise<string[]> =>
  looksAtAll ? problemsOf(page, LOOKS) : problemsOf(page, [NARROW_AND_DARK], []);

async function problemsOf(page: Page, looks: readonly Look[], rules = [axeViolations]): Promise<string[]> {
  const found: string[] = [];
  for (const { colorScheme, width } of looks) {
    await page.setViewportSize({ width, height: HEIGHT });
    await page.emulateMedia({ colorScheme });
    await page.evaluate(DRAWN);
    const words = `${colorScheme}, ${String(width)} px`;
    for (const violationsOf of rules)
      found.push(...(await violationsOf(page)).map((violation) => `${words}: ${violation}`));
    const scrolled = await sidewaysScroll(page);
    if (scrolled !== 0) found.push(`${words}: scrolls sideways by ${String(scrolled)} px`);
    const broken = await page.evaluate<string[]>(BROKEN_SENTENCES);
    found.push(...broken.map((sentence) => `${words}: a grid breaks the sentence "${sentence}"`));
  }
  return found;
}

/** How far the page can be scrolled sideways, in pixels: 0 as it should be. */
const sidewaysScroll = (page: Page): Promise<number> =>
  page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);

/** What a dialog says in a grid: there, each element in a sentence and each text beside it has a line of its own. */
const BROKEN_SENTENCES = `[...document.querySelectorAll('[role=dialog] *, [role=alertdialog] *')]
  .filter((one) => one.childElementCount > 0 && getComputedStyle(one).display === 'grid')
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== ''))
  .map((one) => one.textContent)`;
