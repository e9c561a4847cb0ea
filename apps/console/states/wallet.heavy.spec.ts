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

describePages('the automatic top-up of the wallet', () => {
  describeStates({
    path: '/wallet?tab=auto-top-up',
    reads: 'GET /wallet/auto-top-up',
    heading: 'Wallet',
    shown: async (page) => {
      await page.getByText('Charged this month (UTC)').waitFor();
      await page.getByRole('table', { name: 'Saved cards' }).waitFor();
    },
    noPermission,
    overlays: [
      (page) => page.getByRole('button', { name: 'Switch on' }).click(),
      (page) => page.getByRole('button', { name: /^Remove Visa/ }).click(),
      (page) => page.getByRole('button', { name: 'Save a card' }).click(),
    ],
  });
});

describePages('automatic top-up', () => {
  const open = consoles();
  const path = '/wallet?tab=auto-top-up';
  const example = documentedExample('GET', `${BELOW}/wallet/auto-top-up`)?.body as Record<string, unknown>;
  const on = { ...example, enabled: true, retry_at: null };
  const never = Object.fromEntries(Object.keys(example).map((field) => [field, null]));
  const answered = (settings: object) => ({ 'GET /wallet/auto-top-up': { body: settings } });

  it('has its tab in sight on a narrow screen', async () => {
    const { page } = await open({ path, width: 375 });
    const box = await page.getByRole('tab', { name: 'Automatic top-up' }).boundingBox();
    expect((box?.x ?? 375) + (box?.width ?? 0)).toBeLessThanOrEqual(375);
  });

  it('says what it is where it was never set up, and that it needs a card', async () => {
    const { page } = await open({
      path,
      answers: {
        ...answered({ ...never, enabled: false, charged_this_month_nanos: 0 }),
        'GET /payment-methods': listOf([]),
      },
    });
    await page.getByText(/^Not set up\. When it is on, a saved card is charged/).waitFor();
    await page.getByText('No card is saved. Automatic top-up needs one.').waitFor();
    const setUp = page.getByRole('button', { name: 'Set up' });
    expect(await setUp.getAttribute('aria-disabled')).toBe('true');
    expect(await setUp.getAttribute('aria-description')).toBe('Save a card first.');
  });

  it.each([
    ['payment_failed', 'Three charges in a row failed.'],
    ['dispute', 'A payment was disputed.'],
    ['authentication_required', /^The bank wants the cardholder to confirm each charge/],
    ['payment_method_deleted', 'The card that it charged was removed.'],
  ])('says that the service has switched it off for %s', async (disabled_reason, sentence) => {
    const { page } = await open({ path, answers: answered({ ...example, disabled_reason }) });
    await page.getByText('Turned off automatically').waitFor();
    await page.getByText(sentence).waitFor();
  });

  it('says when it charges next after a charge that failed', async () => {
    const { page } = await open({
      path,
      now: '2026-11-20T09:00:00Z',
      answers: answered({ ...on, retry_at: '2026-11-20T10:00:00.000Z' }),
    });
    await page.getByText(/^The last charge failed\. .*20 Nov 2026, 10:00:00 UTC/).waitFor();
  });

  it('says that the monthly limit leaves too little for another charge', async () => {
    const charged_this_month_nanos = 450_010_000_000;
    const { page } = await open({ path, answers: answered({ ...on, charged_this_month_nanos }) });
    await page.getByText(/^The monthly limit leaves too little for another charge\./).waitFor();
    await page.getByText('$450.01 of at most $500.00').waitFor();
  });

  it('is on only once the API has said so, and sends each amount to the nano', async () => {
    let settings: object = example;
    const { page, calls } = await open({
      path,
      answers: {
        'GET /wallet/auto-top-up': () => ({ body: settings }),
        'PUT /wallet/auto-top-up': () => {
          settings = on;
          return { body: settings };
        },
      },
    });
    const state = page.getByRole('region', { name: 'Automatic top-up', exact: true });
    await state.getByText('Off', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Switch on' }).click();
    const dialog = page.getByRole('dialog', { name: 'Switch on automatic top-up' });
    const threshold = dialog.getByRole('textbox', { name: /^Charge when less than this is available/ });
    expect(await threshold.inputValue()).toBe('20');
    await threshold.fill('12.000000001');
    const cap = dialog.getByRole('textbox', { name: /^Monthly limit/ });
    await cap.fill('49');
    await dialog.getByRole('button', { name: 'Switch on' }).click();
    await dialog.getByText('The monthly limit must be at least the amount of one charge.').waitFor();
    expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
    await cap.fill('100');
    await dialog.getByText('Less is available now, so the first charge is made within seconds.').waitFor();
    await dialog.getByRole('button', { name: 'Switch on' }).click();
    await page.getByText('Automatic top-up is on.').waitFor();
    await state.getByText('On', { exact: true }).waitFor();
    const { body = '' } = calls.find(({ method }) => method === 'PUT') ?? {};
    expect(JSON.parse(body ?? '')).toEqual({
      enabled: true,
      threshold_nanos: 12_000_000_001,
      amount_nanos: 50_000_000_000,
      monthly_cap_nanos: 100_000_000_000,
      payment_method_id: example['payment_method_id'],
    });
  });

  it('is switched off with the settings that are in force then, which waits for no approval', async () => {
    let settings: object = on;
    const { page, calls } = await open({
      path,
      answers: {
        'GET /wallet/auto-top-up': () => ({ body: settings }),
        'PUT /wallet/auto-top-up': () => {
          settings = { ...settings, enabled: false };
          return { body: settings };
        },
      },
    });
    await page.getByRole('button', { name: 'Switch off' }).click();
    // Somebody else changes it meanwhile.
    settings = { ...on, monthly_cap_nanos: 70_000_000_000 };
    await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('Automatic top-up is off.').waitFor();
    await page.getByRole('button', { name: 'Switch on' }).waitFor();
    const { body = '' } = calls.find(({ method }) => method === 'PUT') ?? {};
    expect(JSON.parse(body ?? '')).toMatchObject({ enabled: false, monthly_cap_nanos: 70_000_000_000 });
  });

  it('shows what the API refused at its field, with what was typed', async () => {
    const error = {
      code: 'invalid_request',
      message: 'payment_method_id must be a payment method of the organization.',
      param: 'payment_method_id',
      retriable: false,
    };
    const { page } = await open({
      path,
      answers: { 'PUT /wallet/auto-top-up': { status: 400, body: { error } } },
    });
    await page.getByRole('button', { name: 'Switch on' }).click();
    const dialog = page.getByRole('dialog', { name: 'Switch on automatic top-up' });
    await dialog.getByRole('button', { name: 'Switch on' }).click();
    await dialog.getByText(error.message).waitFor();
    await dialog.getByRole('button', { name: 'Switch on', disabled: false }).waitFor();
  });

  it('leads to the page of the provider for a card, and types none here', async () => {
    const setup_url = 'https://checkout.stripe.com/c/setup/cs_1';
    const { page, calls } = await open({
      path,
      answers: { 'POST /payment-methods': { status: 201, body: { setup_url } } },
    });
    await page.getByRole('button', { name: 'Save a card' }).click();
    const dialog = page.getByRole('dialog', { name: 'Enter the card on the provider’s page' });
    const link = dialog.getByRole('link', { name: 'Enter the card at checkout.stripe.com' });
    expect(await link.getAttribute('href')).toBe(setup_url);
    expect(await dialog.getByRole('textbox').count()).toBe(0);
    const { body = '' } = calls.find(({ method }) => method === 'POST') ?? {};
    expect(body).toContain('card=done');
    const reads = () =>
      calls.filter(({ method, path }) => method === 'GET' && path.endsWith('/payment-methods'));
    const before = reads().length;
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await dialog.waitFor({ state: 'detached' });
    await page.waitForLoadState('networkidle');
    expect(reads().length).toBeGreaterThan(before);
  });

  it('lists a card that was just entered once the provider confirms it, without a reload', async () => {
    let reads = 0;
    const card = exampleIn('/payment-methods') ?? {};
    const { page } = await open({
      path: `${path}&card=done`,
      answers: { 'GET /payment-methods': () => listOf(++reads < 3 ? [] : [card]) },
    });
    await page.getByText(/^You are back from the payment provider\. The card is listed once/).waitFor();
    await page.getByRole('rowheader', { name: /Visa ending in 4242/ }).waitFor();
  });

  it('says that it ends with the card that it charges, before that is removed', async () => {
    const { page, calls } = await open({ path, answers: answered(on) });
    await page.getByRole('button', { name: 'Remove Visa ending in 4242' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Remove this card?' });
    await dialog.getByText('Automatic top-up charges this card, and is switched off with it.').waitFor();
    expect(calls.some(({ method }) => method === 'DELETE')).toBe(false);
    await dialog.getByRole('button', { name: 'Remove card' }).click();
    await page.getByText('The card was removed.').waitFor();
    expect(
      calls.some(({ method, path }) => method === 'DELETE' && path.includes('/payment-methods/pm_')),
    ).toBe(true);
  });

  it('is read by a role that may not change it', async () => {
    const { page } = await open({ path, permissions: ['org:read', 'wallet:read'], answers: answered(on) });
    await page.getByRole('table', { name: 'Saved cards' }).waitFor();
    await page.getByText('Charged this month (UTC)').waitFor();
    const writes = page
      .getByRole('main')
      .getByRole('button', { name: /^(Switch|Change|Save|Remove|Set up)/ });
    expect(await writes.count()).toBe(0);
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

  it('begins a payment in whole cents, opens the page where it is paid, and never shows it as paid', async () => {
    const begun = documentedExample('POST', `${BELOW}/wallet/top-ups`)?.body as { payment: object };
    const checkout_url = 'https://checkout.stripe.com/c/pay/cs_1';
    const payment = { ...begun.payment, state: 'pending', livemode: false, checkout_url };
    const { page, calls } = await open({
      path: '/wallet?add=true',
      answers: { 'POST /wallet/top-ups': { status: 201, body: { payment, checkout_url } } },
    });
    // No content: the browser stays with the page.
    await page.route(`${new URL(checkout_url).origin}/**`, (route) => route.fulfill({ status: 204 }));
    const paid = page.waitForResponse(checkout_url);
    const amount = page.getByRole('textbox', { name: 'Amount in dollars' });
    await amount.fill('50.001');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.getByText('Enter an amount from $5 to $25,000, in whole cents.').waitFor();
    await amount.fill('50');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    const dialog = page.getByRole('dialog', { name: 'Opening the payment page' });
    await paid;
    await page.unrouteAll();
    await dialog.getByText('Pending until the payment provider confirms.').waitFor();
    await dialog.getByText('Test mode: no money moves.').waitFor();
    expect(await dialog.getByRole('link', { name: 'Pay at checkout.stripe.com' }).getAttribute('href')).toBe(
      checkout_url,
    );
    const { body, headers } = calls.find(({ method }) => method === 'POST') ?? {};
    expect(body).toContain('"amount_nanos":50000000000');
    expect(body).toContain('"save_payment_method":false');
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
    await page.getByRole('button', { name: 'Continue to payment' }).click();
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
