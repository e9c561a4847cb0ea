import { type Page } from 'playwright-core';
import { looksAtAll } from './config';
import { documentedExample } from './documented-examples';
import { type StubbedCall } from './stub-server';
import { consoles, problemsOfLook, problemsOfState, type Stub, type StubbedOptions } from './stubbed-console';

/** A page, as its states are asked for. */
interface PageUnderStates {
  /** The console without it. */
  readonly application?: StubbedOptions['application'];
  /** Below the application's address. */
  readonly path: string;
  /** The read that the page cannot be without: `GET /keys`, `GET /platform/v1/health`. */
  readonly reads: string;
  /** Its `h1`, or a part of it, while it shows the documented examples. */
  readonly heading: string | RegExp;
  /** Resolves when the page shows its data. */
  readonly shown: (page: Page) => Promise<unknown>;
  /** The sentence for a viewer who lacks the permission; absent for a page that asks for none. */
  readonly noPermission?: string | RegExp;
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
  const openConsole = consoles();
  async function open(stub?: Stub, options: StubbedOptions = {}): Promise<Page> {
    const answers = { ...of.answers, ...(stub && { [of.reads]: stub }) };
    const { application = 'console', path } = of;
    return (await openConsole({ application, path, answers, ...options })).page;
  }

  itIsAccessible(of, open);
  itSaysWhatIsMissing(of, open);
  // The same code shows them on every page.
  if (!looksAtAll) return;
  itWaits(open);
  itOutlastsTheNetwork(of, open);
}

type Open = (stub?: Stub, options?: StubbedOptions) => Promise<Page>;

function itIsAccessible(of: PageUnderStates, open: Open): void {
  it('has nothing that axe finds and no scroll sideways, in each theme and width, with dialogs and menus', async () => {
    const page = await open();
    await page.getByRole('heading', { level: 1, name: of.heading }).waitFor();
    await of.shown(page);
    expect(await problemsOfLook(page)).toEqual([]);
    for (const openOverlay of of.overlays ?? []) {
      await openOverlay(page);
      expect(await problemsOfState(page)).toEqual([]);
      await page.keyboard.press('Escape');
    }
  });
}

function itSaysWhatIsMissing(of: PageUnderStates, open: Open): void {
  it('says what failed, with its code and request id', async () => {
    const page = await open(failure(500, 'internal', false));
    const alert = page.getByRole('alert').first();
    await alert.getByText('It failed: internal.').waitFor();
    await alert.getByText('internal', { exact: true }).waitFor();
    await alert.getByText('req_06dpm2q4x8k3c0v9r7t5w1hzny').waitFor();
    expect(await problemsOfState(page)).toEqual([]);
  });

  if (of.noPermission !== undefined) {
    const sentence = of.noPermission;
    it('tells a role that lacks the permission who has it', async () => {
      const page = await open(undefined, { role: 'viewer', permissions: ['org:read'] });
      await page.getByText(sentence).waitFor();
      expect(await problemsOfState(page)).toEqual([]);
    });
  }

  if (of.gone !== undefined) {
    it('says that it was not found, in the same words whoever owns it', async () => {
      const page = await open(failure(404, 'not_found', false));
      await page.getByText(of.gone ?? '').waitFor();
      expect(await problemsOfState(page)).toEqual([]);
    });
  }
}

function itWaits(open: Open): void {
  it('is busy while its answer is on its way', async () => {
    const page = await open(() => new Promise(() => undefined));
    await page.getByRole('status', { name: 'Loading' }).first().waitFor();
    expect(await problemsOfState(page)).toEqual([]);
  });

  it('counts down a refused rate, and goes on by itself', async () => {
    const page = await open(failure(429, 'rate_limited', true, { 'retry-after': '30' }));
    await page.getByText('Too many calls').first().waitFor();
    await page
      .getByText(/Trying again in \d+ s/)
      .first()
      .waitFor();
    expect(await problemsOfState(page)).toEqual([]);
  });
}

/** What the page gets where its read succeeds. */
function successOf({ answers = {}, reads }: PageUnderStates, call: StubbedCall): ReturnType<typeof answerOf> {
  const { [reads]: stub = documentedExample(call.method, call.path) ?? {} } = answers;
  return answerOf(stub, call);
}
const answerOf = (stub: Stub, call: StubbedCall) => (typeof stub === 'function' ? stub(call) : stub);

/** As a network that is gone for a minute: what was read before is old by then. */
async function loseNetwork(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await page.evaluate('{ const now = Date.now; Date.now = () => now.call(Date) + 60_000; }');
}

function itOutlastsTheNetwork(of: PageUnderStates, open: Open): void {
  it('says that it is offline where it has nothing to show, and goes on when the network is back', async () => {
    let isFailing = true;
    const page = await open((call) =>
      isFailing ? answerOf(failure(500, 'internal', false), call) : successOf(of, call),
    );
    await page.getByText('It failed: internal.').first().waitFor();
    await loseNetwork(page);
    await page.getByText('You are offline').first().waitFor();
    expect(await problemsOfState(page)).toEqual([]);
    isFailing = false;
    await page.context().setOffline(false);
    await of.shown(page);
  });

  it('keeps what it shows where reading it again fails, and says as of when it is', async () => {
    let isFailing = false;
    const page = await open((call) =>
      isFailing ? answerOf(failure(500, 'internal', false), call) : successOf(of, call),
    );
    await of.shown(page);
    isFailing = true;
    await loseNetwork(page);
    await page.context().setOffline(false);
    await page
      .getByText(/^as of/)
      .first()
      .waitFor();
    await of.shown(page);
    expect(await problemsOfState(page)).toEqual([]);
  });
}
