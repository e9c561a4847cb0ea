import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { consoles, describePages } from './stubbed-console';

const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const noPermission =
  'Your role, Viewer, cannot see the wallet. Owners, security admins, finance members, and viewers can.';
const listOf = (data: readonly object[], hasMore = false) => ({
  body: { object: 'list', data, has_more: hasMore, next_cursor: hasMore ? 'more' : null },
});
const exampleIn = (path: string) =>
  (documentedExample('GET', BELOW + path)?.body as { data: [Record<string, unknown>] }).data[0];

describePages('the wallet', () => {
  describeStates({
    path: '/wallet',
    reads: 'GET /wallet',
    heading: 'Wallet',
    shown: async (page) => {
      await page.getByText('Held by calls under way').waitFor();
      await page.getByRole('table', { name: 'Transactions' }).waitFor();
    },
    noPermission,
    overlays: [
      (page) => page.getByRole('button', { name: 'Add credit' }).click(),
      (page) => page.getByRole('search').getByRole('button', { name: 'Kind' }).click(),
    ],
  });
});

describePages('the payments of the wallet', () => {
  describeStates({
    path: '/wallet?tab=payments',
    reads: 'GET /payments',
    heading: 'Wallet',
    shown: (page) => page.getByRole('table', { name: 'Payments' }).waitFor(),
    noPermission,
  });
});

describePages('what the wallet shows', () => {
  const open = consoles();

  it('says what there is not, in each of its lists, and that nothing matches a filter', async () => {
    const { page } = await open({
      path: '/wallet',
      answers: {
        'GET /wallet/transactions': listOf([]),
        'GET /wallet/credit-grants': listOf([]),
        'GET /payments': listOf([]),
      },
    });
    await page.getByText('No transactions yet').waitFor();
    await page.getByRole('tab', { name: 'Payments' }).click();
    await page.getByText('No payments yet').waitFor();
    await page.getByRole('tab', { name: 'Credit grants' }).click();
    await page.getByText('No credit grants yet').waitFor();
    await page.goto(page.url().replace(/\/wallet.*/, '/wallet?kind=charge,refund'));
    await page.getByText('No transactions match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByText('No transactions yet').waitFor();
  });

  it('sends every filter of its address, and drops what it cannot be', async () => {
    const { page, calls } = await open({
      path: '/wallet?kind=charge,top_up&after=2026-11-01T00:00:00Z&before=never',
    });
    await page.getByRole('table', { name: 'Transactions' }).waitFor();
    await page.getByText('before').first().waitFor();
    const { query } = calls.find(({ path }) => path.endsWith('/wallet/transactions')) ?? {};
    expect([query?.get('kind'), query?.get('created_after'), query?.get('created_before')]).toEqual([
      'charge,top_up',
      '2026-11-01T00:00:00Z',
      null,
    ]);
  });

  it('writes an amount that left with the minus of its sign, says it, and keeps digits that a number would round', async () => {
    const transaction = JSON.stringify({
      ...exampleIn('/wallet/transactions'),
      amount_nanos: -4_200_000,
    }).replace(/"balance_after_nanos":[^,}]+/, '"balance_after_nanos":9007199254740993');
    const { page } = await open({
      path: '/wallet',
      answers: {
        'GET /wallet/transactions': {
          body: `{"object":"list","data":[${transaction}],"has_more":false,"next_cursor":null}`,
        },
      },
    });
    const row = page.getByRole('row').nth(1);
    await row.getByText('−$0.0042').waitFor();
    await row.getByText('minus $0.0042').waitFor();
    expect(await row.locator('data').nth(1).getAttribute('value')).toBe('9007199.254740993');
  });

  it('begins a payment in whole cents, and shows it as pending, never as paid', async () => {
    const begun = documentedExample('POST', `${BELOW}/wallet/top-ups`)?.body as { payment: object };
    const checkout_url = 'https://checkout.stripe.com/c/pay/cs_1';
    const payment = { ...begun.payment, state: 'pending', livemode: false, checkout_url };
    const { page, calls } = await open({
      path: '/wallet?add=true',
      answers: { 'POST /wallet/top-ups': { status: 201, body: { payment, checkout_url } } },
    });
    const amount = page.getByRole('textbox', { name: 'Amount in dollars' });
    await amount.fill('50.001');
    await page.getByRole('button', { name: 'Go on to pay' }).click();
    await page.getByText('Write an amount of whole cents, from $5 to $25,000.').waitFor();
    await amount.fill('50');
    await page.getByRole('button', { name: 'Go on to pay' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pay on the provider’s page' });
    await dialog.getByText('Pending until the payment provider confirms.').waitFor();
    await dialog.getByText('Test mode: no money moves.').waitFor();
    expect(await dialog.getByRole('link', { name: 'Pay at checkout.stripe.com' }).getAttribute('href')).toBe(
      checkout_url,
    );
    const { body, headers } = calls.find(({ method }) => method === 'POST') ?? {};
    expect(body).toContain('"amount_nanos":50000000000');
    expect(headers?.['idempotency-key']).toMatch(/^[0-9a-f]{32}$/);
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('keeps what was typed where payments are off, and says whom to ask', async () => {
    const error = { code: 'conflict', message: 'Payments are off.', retriable: false };
    const { page } = await open({
      path: '/wallet?add=true',
      answers: { 'POST /wallet/top-ups': { status: 409, body: { error } } },
    });
    await page.getByRole('button', { name: '$50', exact: true }).click();
    await page.getByRole('button', { name: 'Go on to pay' }).click();
    await page.getByText('Ask the operator of this installation for credit.').waitFor();
    await page.getByRole('link', { name: 'ops@example.com' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Amount in dollars' }).inputValue()).toBe('50');
  });

  it('offers no credit to a role that cannot add it', async () => {
    const { page } = await open({ path: '/wallet?add=true', permissions: ['org:read', 'wallet:read'] });
    await page.getByRole('table', { name: 'Transactions' }).waitFor();
    expect(await page.getByRole('button', { name: 'Add credit' }).count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('shows a hostile reason as plain text, and leads to no script', async () => {
    const reason = '<img src=x onerror="document.title=1">\u202e';
    const payment = {
      ...exampleIn('/payments'),
      state: 'pending',
      livemode: false,
      checkout_url: 'javascript:document.title=1',
    };
    const { page } = await open({
      path: '/wallet?tab=grants',
      answers: {
        'GET /wallet/credit-grants': listOf([{ ...exampleIn('/wallet/credit-grants'), reason }]),
        'GET /payments': listOf([payment]),
      },
    });
    await page.getByText('<img src=x onerror="document.title=1">⟨U+202E⟩').waitFor();
    await page.getByRole('tab', { name: 'Payments' }).click();
    await page.getByText('Pending until the payment provider confirms.').waitFor();
    expect(await page.locator('img, a[href^="javascript:"]').count()).toBe(0);
  });
});
