import { documentedExample } from '../documented-examples';
import { type StubbedCall } from '../stub-server';
import { consoles, describePages, type StubbedOptions } from '../stubbed-console';

const PLATFORM = '/platform/v1';
const ORGANIZATION = 'org_06dpm2q4x8k3c0v9r7t5w1hzny';
const PAYMENT = 'pay_06dpm2q4x8k3c0v9r7t5w1hzny';

type Row = Record<string, unknown>;
const rowOf = (path: string): Row =>
  (documentedExample('GET', PLATFORM + path)?.body as { data: [Row] }).data[0];
const listOf = (data: readonly object[]) => ({
  body: { object: 'list', data, has_more: false, next_cursor: null },
});
const failed = (status: number, code: string) => ({
  status,
  body: { error: { code, message: `It failed: ${code}.`, retriable: false, request_id: null } },
});
const writesOf = (calls: readonly StubbedCall[]) => calls.filter(({ method }) => method !== 'GET');
const ofOrganization = { path: `/organizations/${ORGANIZATION}` };

describePages('what an operator does to an organization', () => {
  const openConsole = consoles();
  const open = (options: StubbedOptions) => openConsole({ application: 'operator', ...options });

  it('grants exactly the amount that was shown, once however often it is tried', async () => {
    let isLost = true;
    const { page, calls } = await open({
      ...ofOrganization,
      answers: {
        [`POST ${PLATFORM}/organizations/${ORGANIZATION}/credit-grants`]: () =>
          isLost
            ? failed(500, 'internal')
            : (documentedExample('POST', `${PLATFORM}/organizations/${ORGANIZATION}/credit-grants`) ?? {}),
      },
    });
    await page.getByRole('button', { name: 'Grant credit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Grant credit' });
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('Enter an amount above $0.').waitFor();
    await dialog.getByText('Enter a reason.').waitFor();
    await dialog.getByLabel('Amount').fill('1,250.000000001');
    await dialog.getByLabel('Reason').fill('Invoice 2026-114');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    expect(writesOf(calls)).toEqual([]);
    await dialog.getByText('$1,250.000000001 · 1,250,000,000,001 nanos').waitFor();
    await dialog.getByRole('button', { name: 'Grant $1,250.000000001' }).click();
    await dialog.getByRole('alert').getByText('It failed: internal.').waitFor();
    isLost = false;
    await dialog.getByRole('button', { name: 'Grant $1,250.000000001' }).click();
    await page.getByRole('status').getByText('Granted $1,250.000000001.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    const writes = writesOf(calls);
    expect(writes.map(({ body }) => body)).toEqual(
      Array.from({ length: 2 }, () => '{"amount_nanos":1250000000001,"reason":"Invoice 2026-114"}'),
    );
    const keys = writes.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it('asks before a form that was filled is closed', async () => {
    const { page } = await open(ofOrganization);
    await page.getByRole('button', { name: 'Grant credit' }).click();
    await page.getByRole('dialog').getByLabel('Amount').fill('5');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog', { name: 'Leave without saving?' }).waitFor();
  });

  it('suspends it after its name was typed', async () => {
    const { page, calls } = await open(ofOrganization);
    const { name } = documentedExample('GET', `${PLATFORM}/organizations/${ORGANIZATION}`)?.body as {
      name: string;
    };
    await page.getByRole('button', { name: 'Suspend' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Suspend organization' });
    const suspend = dialog.getByRole('button', { name: 'Suspend organization' });
    expect(await suspend.getAttribute('aria-disabled')).toBe('true');
    await dialog.getByRole('textbox').fill(name);
    await suspend.click();
    await page.getByRole('status').getByText('Organization suspended.').waitFor();
    expect(writesOf(calls).map(({ method, body }) => [method, body])).toEqual([
      ['PATCH', '{"state":"suspended"}'],
    ]);
  });

  it('sets ceilings, and an empty one is the default again', async () => {
    const answer = documentedExample('GET', `${PLATFORM}/organizations/${ORGANIZATION}`)?.body as Row;
    const { page, calls } = await open({
      ...ofOrganization,
      answers: {
        [`GET ${PLATFORM}/organizations/${ORGANIZATION}`]: {
          body: { ...answer, rate_limit_rpm: 100, rate_limit_tpm: null },
        },
      },
    });
    await page.getByRole('button', { name: 'Edit limits' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit limits' });
    await dialog.getByLabel('Requests per minute', { exact: true }).fill('');
    await dialog.getByLabel('Estimated tokens per minute', { exact: true }).fill('20,000,000');
    await dialog.getByLabel('Running endpoints of tuned models', { exact: true }).fill('0');
    await dialog.getByRole('button', { name: 'Save limits' }).click();
    await page.getByRole('status').getByText('Limits saved.').waitFor();
    expect(writesOf(calls)[0]?.body).toBe(
      '{"rate_limit_rpm":null,"rate_limit_tpm":20000000,"fine_tuning_endpoints_max":0}',
    );
  });

  it('shows the prices in force, and sets them; an empty one is the default again', async () => {
    const answer = documentedExample('GET', `${PLATFORM}/organizations/${ORGANIZATION}`)?.body as Row;
    const prices = {
      price_bps: 11_553,
      own_credential_bps: null,
      effective: { price_bps: 11_553, own_credential_bps: 0 },
    };
    const { page, calls } = await open({
      ...ofOrganization,
      answers: { [`GET ${PLATFORM}/organizations/${ORGANIZATION}`]: { body: { ...answer, ...prices } } },
    });
    const section = page.getByRole('region', { name: 'Prices' });
    await section.getByText('115.53 % of catalog prices', { exact: true }).waitFor();
    await section.getByText('0 % of catalog prices (default)').waitFor();
    await section.getByRole('button', { name: 'Edit prices' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit prices' });
    await dialog.getByLabel('Platform credentials, basis points', { exact: true }).fill('');
    await dialog.getByLabel('Own credentials, basis points', { exact: true }).fill('500');
    await dialog.getByRole('button', { name: 'Save prices' }).click();
    await page.getByRole('status').getByText('Prices saved.').waitFor();
    expect(writesOf(calls)[0]?.body).toBe('{"price_bps":null,"own_credential_bps":500}');
  });

  it('creates one, and shows the link of its owner in one dialog, once', async () => {
    const created = documentedExample('POST', `${PLATFORM}/organizations`)?.body as {
      owner: { accept_url: string };
    };
    const { page } = await open({ path: '/' });
    await page.getByRole('button', { name: 'Create organization' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create organization' });
    await dialog.getByLabel('Name').fill('Acme');
    await dialog.getByLabel('Owner’s e-mail address').fill('ada@example.com');
    await dialog.getByRole('button', { name: 'Create organization' }).click();
    const link = page.getByRole('dialog', { name: 'Share this link' });
    expect(await link.getByRole('textbox', { name: 'Invitation link' }).inputValue()).toBe(
      created.owner.accept_url,
    );
    await page.keyboard.press('Escape');
    await link.getByRole('button', { name: 'I have saved it' }).click();
    await link.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(created.owner.accept_url);
  });

  it('finds one by words that are sent when they are whole', async () => {
    const { page } = await open({ path: '/' });
    await page.getByLabel('Search by name, id or owner’s email').fill('ada@example.com');
    await page.getByLabel('Search by name, id or owner’s email').press('Enter');
    await page.waitForURL(/\/operator\/\?q=/);
    const asked = page.waitForRequest(/organizations\?.*state=suspended/);
    await page.getByRole('radio', { name: 'Suspended' }).check();
    const { searchParams } = new URL((await asked).url());
    expect(Object.fromEntries(searchParams)).toEqual({
      q: 'ada@example.com',
      state: 'suspended',
      limit: '50',
    });
  });
});

describePages('what an operator does to payments', () => {
  const openConsole = consoles();
  const open = (payment: Row, answers: StubbedOptions['answers'] = {}, path = '/payments') =>
    openConsole({
      application: 'operator',
      path,
      answers: {
        [`GET ${PLATFORM}/payments`]: listOf([{ ...rowOf('/payments'), id: PAYMENT, ...payment }]),
        ...answers,
      },
    });
  const review = { state: 'review', review_reason: 'amount', amount_nanos: 50_000_000_000 };

  it('shows first those that wait for a person, with what differs', async () => {
    const { page, calls } = await open(review);
    await page.getByText('Another amount was paid.').waitFor();
    const [list] = calls.filter(({ path }) => path === `${PLATFORM}/payments`);
    expect(list!.query.get('state')).toBe('review');
  });

  it('credits exactly what was asked for, after showing it', async () => {
    const { page, calls } = await open(review);
    await page.getByRole('button', { name: 'Accept' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Accept payment' });
    await dialog.getByText('$50.000000000 · 50,000,000,000 nanos').waitFor();
    await dialog.getByRole('button', { name: 'Credit $50.000000000' }).click();
    await page.getByRole('status').getByText('Payment accepted.').waitFor();
    expect(writesOf(calls).map(({ path }) => path)).toEqual([`${PLATFORM}/payments/${PAYMENT}/accept`]);
  });

  it('dismisses one, and shows why where somebody else was first', async () => {
    const { page } = await open(review, {
      [`POST ${PLATFORM}/payments/${PAYMENT}/dismiss`]: failed(409, 'conflict'),
    });
    await page.getByRole('button', { name: 'Dismiss' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Dismiss payment' });
    await dialog.getByRole('button', { name: 'Dismiss payment' }).click();
    await dialog.getByRole('alert').getByText('It failed: conflict.').waitFor();
  });

  it('refunds whole cents, no more than is left, exactly as shown', async () => {
    const paid = {
      state: 'partially_refunded',
      amount_nanos: 50_000_000_000,
      refunded_nanos: 10_000_000_000,
      disputed_nanos: 0,
    };
    const { page, calls } = await open(paid, {}, '/payments?state=partially_refunded');
    await page.getByRole('button', { name: 'Refund' }).click();
    const dialog = page.getByRole('dialog', { name: 'Refund payment' });
    const amount = dialog.getByLabel('Amount');
    expect(await amount.inputValue()).toBe('40');
    await dialog.getByLabel('Reason').fill('Paid twice');
    for (const [typed, words] of [
      ['40.01', 'This is more than is left of the payment.'],
      ['1.005', 'Enter an amount above $0, in whole cents.'],
      ['0', 'Enter an amount above $0, in whole cents.'],
    ] as const) {
      await amount.fill(typed);
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await dialog.getByText(words).waitFor();
    }
    await amount.fill('12.34');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('button', { name: 'Refund $12.340000000' }).click();
    await page.getByRole('status').getByText('Refund requested.').waitFor();
    expect(writesOf(calls).map(({ body }) => body)).toEqual([
      '{"amount_nanos":12340000000,"reason":"Paid twice"}',
    ]);
  });
});

describePages('what an operator does to incidents and parked messages', () => {
  const openConsole = consoles();
  const open = (options: StubbedOptions) => openConsole({ application: 'operator', ...options });

  it('declares an incident, and is led to it', async () => {
    const { page, calls } = await open({ path: '/incidents' });
    await page.getByRole('button', { name: 'Declare incident' }).click();
    const dialog = page.getByRole('dialog', { name: 'Declare incident' });
    await dialog.getByRole('button', { name: 'Declare incident' }).click();
    for (const words of ['Give it a title.', 'Enter a message.', 'Choose at least one component.'])
      await dialog.getByText(words).waitFor();
    expect(writesOf(calls)).toEqual([]);
    await dialog.getByLabel('Title').fill('Slow answers');
    await dialog.getByLabel('Message').fill('We look into it.');
    await dialog.getByLabel('Major').check();
    await dialog.getByLabel('Inference').check();
    await dialog.getByLabel('Providers', { exact: true }).fill('anthropic, openai');
    await dialog.getByRole('button', { name: 'Declare incident' }).click();
    await page.waitForURL(/\/operator\/incidents\/inc_/);
    const [write] = writesOf(calls);
    expect(JSON.parse(write?.body ?? '')).toEqual({
      title: 'Slow answers',
      message: 'We look into it.',
      severity: 'major',
      state: 'investigating',
      components: ['inference'],
      providers: ['anthropic', 'openai'],
      models: [],
      audience: 'affected',
    });
    expect(write?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('shows what the API refused at its field', async () => {
    const { page } = await open({
      path: '/incidents?declare=true',
      answers: {
        [`POST ${PLATFORM}/incidents`]: {
          status: 400,
          body: {
            error: {
              code: 'invalid_request',
              message: 'The catalog has no provider of this name.',
              param: 'providers[0]',
              retriable: false,
            },
          },
        },
      },
    });
    const dialog = page.getByRole('dialog', { name: 'Declare incident' });
    await dialog.getByLabel('Title').fill('Slow answers');
    await dialog.getByLabel('Message').fill('We look into it.');
    await dialog.getByLabel('Inference').check();
    await dialog.getByLabel('Providers', { exact: true }).fill('nobody');
    await dialog.getByRole('button', { name: 'Declare incident' }).click();
    await dialog.getByText('The catalog has no provider of this name.').waitFor();
    expect(await dialog.getByLabel('Providers', { exact: true }).and(page.locator(':focus')).count()).toBe(1);
  });

  it('resolves an incident with a last message', async () => {
    const path = '/incidents/inc_06dpm2q4x8k3c0v9r7t5w1hzny';
    const incident = documentedExample('GET', PLATFORM + path)?.body as Row;
    const { page, calls } = await open({
      path,
      answers: { [`GET ${PLATFORM}${path}`]: { body: { ...incident, state: 'monitoring' } } },
    });
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Resolve incident' });
    await dialog.getByLabel('Message').fill('It is over.');
    await dialog.getByRole('button', { name: 'Resolve incident' }).click();
    await page.getByRole('status').getByText('Incident resolved.').waitFor();
    expect(writesOf(calls)[0]?.body).toBe('{"message":"It is over.","state":"resolved"}');
  });

  it('sends a parked message again; one whose event is gone can only be discarded', async () => {
    const message = { ...rowOf('/parked-messages'), state: 'waiting', resolved_at: null };
    const { page, calls } = await open({
      path: '/parked-messages',
      answers: {
        [`GET ${PLATFORM}/parked-messages`]: listOf([
          { ...message, can_requeue: true },
          { ...message, id: 'pkm_2', can_requeue: false, event_id: null, event_type: null },
        ]),
      },
    });
    const again = page.getByRole('button', { name: 'Send again' });
    expect(await again.nth(1).getAttribute('aria-disabled')).toBe('true');
    await again.first().click();
    const asked = page.getByRole('alertdialog', { name: 'Send the event again' });
    await asked.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('status').getByText('Event sent again.').waitFor();
    await page.getByRole('button', { name: 'Discard' }).nth(1).click();
    const discarded = page.getByRole('alertdialog', { name: 'Discard message' });
    await discarded.getByRole('button', { name: 'Discard message' }).click();
    await page.getByRole('status').getByText('Message discarded.').waitFor();
    expect(writesOf(calls).map(({ path }) => path)).toEqual([
      `${PLATFORM}/parked-messages/${String(rowOf('/parked-messages')['id'])}/requeue`,
      `${PLATFORM}/parked-messages/pkm_2/discard`,
    ]);
  });

  it('is warned where no worker beats and no edge lives', async () => {
    const health = documentedExample('GET', `${PLATFORM}/health`)?.body as Row;
    const { page } = await open({
      path: '/health',
      answers: {
        [`GET ${PLATFORM}/health`]: {
          body: { ...health, worker: { is_live: false, beat_at: null }, edges: [] },
        },
      },
    });
    await page.getByText('No worker heartbeat in the last 15 seconds.').waitFor();
    await page.getByText('No edge holds a lease').waitFor();
  });

  it('does all of it with the keyboard alone', async () => {
    const { page, calls } = await open({ path: '/' });
    await page.getByRole('link', { name: 'Skip to content' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('main').getByRole('table').getByRole('link').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Wallet' }).waitFor();
    await page.getByRole('button', { name: 'Grant credit' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Amount').focus();
    await page.keyboard.type('5');
    await page.keyboard.press('Tab');
    await page.keyboard.type('A gift');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Grant $5.000000000' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Granted $5.000000000.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement === document.body')).toBe(false);
    expect(writesOf(calls)).toHaveLength(1);
  });
});
