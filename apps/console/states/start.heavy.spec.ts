import { copiedText } from '@svc/testing';
import { type Browser } from 'playwright-core';
import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import {
  axeViolations,
  describePages,
  openBrowser,
  openStubbed,
  type StubbedConsole,
  type StubbedOptions,
} from './stubbed-console';

const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const empty = { body: { object: 'list', data: [], has_more: false, next_cursor: null } };
const refusals = documentedExample('GET', `${BELOW}/usage/refusals`)?.body as {
  data: readonly [Record<string, unknown>];
};
const request = (documentedExample('GET', `${BELOW}/requests`)?.body as { data: readonly [object] }).data[0];
const noRefusals = { body: { ...refusals, data: [], total: { count: 0 } } };
const quiet: NonNullable<StubbedOptions['answers']> = {
  'GET /requests': empty,
  'GET /usage/refusals': noRefusals,
};

describePages('the page of the first call', () => {
  describeStates({
    path: '/start',
    reads: 'GET /requests',
    heading: 'Make your first call',
    shown: (page) => page.getByText('Waiting for your first call…').waitFor(),
    noPermission:
      'Your role, Viewer, cannot see whether calls arrive. Owners, security admins, developers, finance members, and viewers can.',
    answers: quiet,
    overlays: [(page) => page.getByRole('combobox', { name: 'Project' }).click()],
  });
});

describePages('the first call', () => {
  let browser: Browser;
  let opened: StubbedConsole | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterEach(async () => {
    const problems = opened?.problems ?? [];
    await opened?.close();
    opened = undefined;
    expect(problems).toEqual([]);
  });
  afterAll(() => browser.close());
  async function open(options: StubbedOptions): Promise<StubbedConsole> {
    opened = await openStubbed(browser, {
      path: '/start',
      ...options,
      answers: { ...quiet, ...options.answers },
    });
    return opened;
  }

  it('is made with a key whose secret is masked until it is shown, and copied whole', async () => {
    const { page } = await open({});
    await page.getByRole('button', { name: 'Create key' }).click();
    const secret = await page.getByRole('textbox', { name: 'API key' }).inputValue();
    const code = page.getByRole('region', { name: 'curl' });
    expect(await code.innerText()).not.toContain(secret);
    const copy = () => page.getByRole('button', { name: 'Copy code' }).click();
    await copiedText(page, copy, (text) => expect(text).toContain(`Bearer ${secret}"`));
    await page.getByText('Copied the code.').waitFor();
    await page.getByRole('button', { name: 'Show key' }).click();
    expect(await code.innerText()).toContain(secret);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('is made with a key that is seen from its first letter to its last, on a narrow screen too', async () => {
    const { body } = documentedExample('POST', `${BELOW}/keys`) ?? {};
    // As long as a real one.
    const key = `svc_sk_${'Zk3vQ8aB_'.repeat(5).slice(2)}`;
    const { page } = await open({
      width: 375,
      answers: { 'POST /keys': { status: 201, body: { ...(body as object), key } } },
    });
    await page.getByRole('button', { name: 'Create key' }).click();
    const field = page.getByRole('textbox', { name: 'API key' });
    expect(await field.inputValue()).toBe(key);
    await field.focus();
    const hidden = await field.evaluate((box) => ({
      right: box.scrollWidth - box.clientWidth,
      below: box.scrollHeight - box.clientHeight,
      begins: box.scrollTop + box.scrollLeft,
    }));
    expect(hidden).toEqual({ right: 0, below: 0, begins: 0 });
  });

  it('is told of by what it cost, once it has arrived', async () => {
    let isMade = false;
    const { page } = await open({
      answers: { 'GET /requests': () => (isMade ? { body: { ...empty.body, data: [request] } } : empty) },
    });
    await page.getByText('Waiting for your first call…').waitFor();
    isMade = true;
    await page.getByRole('status').getByText('First call received').waitFor();
    await page.getByText('$1.500000000 · 1,500,000,000 nanos').waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it('that was refused says why, and what to do', async () => {
    let isMade = false;
    const refused = {
      ...refusals.data[0],
      code: 'insufficient_funds',
      last_message: 'The wallet is empty. <img src=x onerror=alert(1)>',
    };
    const { page } = await open({
      answers: {
        'GET /usage/refusals': () => (isMade ? { body: { ...refusals, data: [refused] } } : noRefusals),
      },
    });
    await page.getByText('Waiting for your first call…').waitFor();
    isMade = true;
    await page.getByText('insufficient_funds', { exact: true }).waitFor();
    const add = page.getByRole('status').getByRole('link', { name: 'Add credit' });
    expect(await add.getAttribute('href')).toMatch(/\/wallet\?(.*&)?add=true/);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('that the wallet refused sends a role that cannot add credit to those who can', async () => {
    const refused = { ...refusals.data[0], code: 'insufficient_funds', last_message: 'The wallet is empty.' };
    let isMade = false;
    const { page } = await open({
      permissions: ['org:read', 'usage:read'],
      answers: {
        'GET /usage/refusals': () => (isMade ? { body: { ...refusals, data: [refused] } } : noRefusals),
      },
    });
    await page.getByText('Waiting for your first call…').waitFor();
    isMade = true;
    await page.getByText('Ask an owner, or the operator of this installation').waitFor();
    expect(await page.getByRole('link', { name: 'Add credit' }).count()).toBe(0);
  });

  it('is not waited for after there were others: the newest is named, and the next is waited for', async () => {
    let newest = { ...request, id: 'req_00000000000000000000000001' };
    const { page } = await open({
      answers: { 'GET /requests': () => ({ body: { ...empty.body, data: [newest] } }) },
    });
    await page.getByRole('heading', { level: 1, name: 'Make a call', exact: true }).waitFor();
    await page.getByText(/^This organization makes calls already\. The newest was made /).waitFor();
    await page.getByText('Waiting for the next call…').waitFor();
    expect(await page.getByText(/first call/).count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    newest = { ...request, id: 'req_00000000000000000000000002' };
    await page.getByRole('status').getByText('Call received', { exact: true }).waitFor();
    expect(await page.getByText(/makes calls already/).count()).toBe(0);
  });

  it('with a new key is waited for as such, where there were calls before', async () => {
    const { page } = await open({
      answers: {
        'GET /requests': ({ query }) =>
          query.has('api_key_id') ? empty : { body: { ...empty.body, data: [request] } },
      },
    });
    await page.getByText('Waiting for the next call…').waitFor();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Waiting for a call with the new key…').waitFor();
  });

  it('that does not come may be refused by a budget, which is named long before it is spent', async () => {
    const budgets = documentedExample('GET', `${BELOW}/budgets`)?.body as { data: [{ id: string }] };
    const [budget] = budgets.data;
    const byBudget = {
      ...refusals.data[0],
      count: 40,
      last_at: '2026-11-20T09:30:00.000Z',
      last_message: `The budget "Production" (${budget.id}) has too little left for this call.`,
    };
    const { page } = await open({
      now: '2026-11-20T09:31:00Z',
      answers: {
        'GET /budgets': { body: { ...budgets, data: [{ ...budget, action: 'block' }] } },
        'GET /usage/refusals': ({ query }) =>
          query.get('group_by') === 'api_key' ? { body: { ...refusals, data: [byBudget] } } : noRefusals,
      },
    });
    await page.getByText('Waiting for your first call…').waitFor();
    await page.clock.runFor(60_000);
    await page.getByText('Budgets that block calls:').waitFor();
    await page.getByText(/Refused 40 calls in the last 24 hours/).waitFor();
  });

  it('is warned of while the wallet is empty', async () => {
    const wallet = { balance_nanos: 0, held_nanos: 0, available_nanos: 0 };
    const { page } = await open({ answers: { 'GET /wallet': { body: wallet } } });
    await page.getByText('will be refused with insufficient_funds').waitFor();
    const add = await page.getByRole('link', { name: 'Add credit' }).getAttribute('href');
    expect(add).toMatch(/\/wallet\?(.*&)?add=true/);
  });

  it('of a viewer needs a key that somebody else creates', async () => {
    const { page } = await open({ role: 'viewer', permissions: ['usage:read', 'catalog:read', 'key:read'] });
    await page.getByText('Ask an owner or developer for a key.').waitFor();
    expect(await page.getByRole('heading', { name: '1. Create a key' }).count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
  });
});
