import { type Browser, type Page } from 'playwright-core';
import {
  axeViolations,
  openBrowser,
  openStubbed,
  sidewaysScroll,
  type Stub,
  type StubbedConsole,
  type StubbedOptions,
} from './stubbed-console';

/** A page, as its states are asked for. */
interface PageUnderStates {
  /** Below `/console`. */
  readonly path: string;
  /** The read that the page cannot be without: `GET /keys`. */
  readonly reads: string;
  /** Its `h1`, or a part of it, while it shows the documented examples. */
  readonly heading: string | RegExp;
  /** Resolves when the page shows its data. */
  readonly shown: (page: Page) => Promise<unknown>;
  /** The sentence for a viewer who lacks the permission. */
  readonly noPermission: string | RegExp;
  /** What a 404 says; absent for a page that is not about one thing. */
  readonly gone?: string;
  /** Stubs of all its tests. */
  readonly answers?: Readonly<Record<string, Stub>>;
  /** Opens each dialog and menu that axe has to look at, one after another. */
  readonly overlays?: readonly ((page: Page) => Promise<unknown>)[];
}

const failure = (status: number, code: string, retriable: boolean, headers = {}): Stub => ({
  status,
  headers,
  body: {
    error: { code, message: `It failed: ${code}.`, retriable, request_id: 'req_06dpm2q4x8k3c0v9r7t5w1hzny' },
  },
});

/** The states that every page has, over a stubbed API. */
export function describeStates(of: PageUnderStates): void {
  let browser: Browser;
  let opened: StubbedConsole | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    const problems = opened?.problems ?? [];
    await opened?.close();
    opened = undefined;
    expect(problems).toEqual([]);
  });
  async function open(stub?: Stub, options: StubbedOptions = {}): Promise<Page> {
    const answers = { ...of.answers, ...(stub && { [of.reads]: stub }) };
    opened = await openStubbed(browser, { path: of.path, answers, ...options });
    return opened.page;
  }

  itIsAccessible(of, open);
  itSaysWhatIsMissing(of, open);
}

type Open = (stub?: Stub, options?: StubbedOptions) => Promise<Page>;

function itIsAccessible(of: PageUnderStates, open: Open): void {
  it.each([
    ['light', 1280],
    ['dark', 375],
  ] as const)('has nothing that axe finds and no scroll sideways, %s at %i px', async (scheme, width) => {
    const page = await open(undefined, { scheme, width });
    await page.getByRole('heading', { level: 1, name: of.heading }).waitFor();
    await of.shown(page);
    expect(await axeViolations(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    for (const openOverlay of of.overlays ?? []) {
      await openOverlay(page);
      expect(await axeViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
    }
  });
}

function itSaysWhatIsMissing(of: PageUnderStates, open: Open): void {
  it('is busy while its answer is on its way', async () => {
    const page = await open(() => new Promise(() => undefined));
    await page.getByRole('status', { name: 'Loading' }).first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it('says what failed, with its code and request id', async () => {
    const page = await open(failure(500, 'internal', false));
    const alert = page.getByRole('alert').first();
    await alert.getByText('It failed: internal.').waitFor();
    await alert.getByText('internal', { exact: true }).waitFor();
    await alert.getByText('req_06dpm2q4x8k3c0v9r7t5w1hzny').waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it('counts down a refused rate, and goes on by itself', async () => {
    const page = await open(failure(429, 'rate_limited', true, { 'retry-after': '30' }));
    await page.getByText('Too many calls').first().waitFor();
    await page
      .getByText(/Trying again in \d+ s/)
      .first()
      .waitFor();
  });

  it('tells a role that lacks the permission who has it', async () => {
    const page = await open(undefined, { role: 'viewer', permissions: ['org:read'] });
    await page.getByText(of.noPermission).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  if (of.gone !== undefined) {
    it('says that it was not found, in the same words whoever owns it', async () => {
      const page = await open(failure(404, 'not_found', false));
      await page.getByText(of.gone ?? '').waitFor();
      expect(await axeViolations(page)).toEqual([]);
    });
  }
}
