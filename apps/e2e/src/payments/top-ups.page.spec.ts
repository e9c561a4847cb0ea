import { type Browser } from 'playwright-core';
import { eventually, retryBusy } from '@svc/testing';
import { of } from '../distributed/tenant';
import { inBrowser, openBrowser } from '../harness/browser';
import { openLedgerAudit } from '../harness/ledger-audit';
import { sharedSvc, type SharedSvc } from '../harness/shared-svc';
import { callApi } from '../oauth/oauth-app';

const AMOUNT = 50_000_000_000;

let svc: SharedSvc;
beforeAll(async () => {
  svc = await sharedSvc();
});

const api = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  fetch(`${svc.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const operator = (method: string, path: string, body?: object) =>
  callApi(svc.baseUrl, method, `/platform/v1/payments${path}`, svc.platformToken ?? '', body);
const read = async (path: string) => of(200, await callApi(svc.baseUrl, 'GET', path, svc.apiKey));

interface TopUp {
  readonly payment: { readonly id: string };
  readonly checkout_url: string;
}

async function topUp(): Promise<TopUp> {
  const answer = await api('POST', '/api/v1/wallet/top-ups', { amount_nanos: AMOUNT });
  expect(answer.status).toBe(201);
  return (await answer.json()) as TopUp;
}

/** The payer's action on the page. */
const act = (checkoutUrl: string, action: 'pay' | 'decline' | 'later') =>
  fetch(checkoutUrl, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ action }) });

/** Directs the payer's bank, or how events travel. */
const simulate = (checkoutUrl: string, method: string, path: string, form: Record<string, string> = {}) =>
  fetch(`${new URL(checkoutUrl).origin}/__simulator/payments${path}`, {
    method,
    body: new URLSearchParams(form),
  });

const disturb = (checkoutUrl: string, settings: object) =>
  simulate(checkoutUrl, 'PUT', '', { settings: JSON.stringify(settings) });

const becomes = (id: string, facts: object) =>
  eventually(async () => {
    expect(await read(`/api/v1/payments/${id}`)).toMatchObject(facts);
  });

const balance = async (): Promise<number> => (await read('/api/v1/wallet')).balance_nanos as number;

it('a top-up that is paid is credited once, with a receipt, and no money moves', async () => {
  const before = await balance();
  const { payment, checkout_url } = await topUp();
  expect(payment).toMatchObject({ state: 'pending', livemode: false, kind: 'checkout', checkout_url });
  expect((await act(checkout_url, 'pay')).status).toBe(303);
  await becomes(payment.id, { state: 'succeeded', checkout_url: null });
  expect((await balance()) - before).toBe(AMOUNT);
  const receipt = await read(`/api/v1/payments/${payment.id}/receipt`);
  expect(receipt).toMatchObject({ amount_nanos: AMOUNT, livemode: false, payment_id: payment.id });
  const page = await api('GET', `/api/v1/payments/${payment.id}/receipt`, undefined, { accept: 'text/html' });
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  expect(await page.text()).toMatch(/Test mode: no money moved/);
});

it('events that are copied, out of order, or late credit nothing twice', async () => {
  const before = await balance();
  const { payment, checkout_url } = await topUp();
  await disturb(checkout_url, { duplicate: 20, reorder: true, delay_ms: 100 });
  await act(checkout_url, 'pay');
  await becomes(payment.id, { state: 'succeeded' });
  await disturb(checkout_url, {});
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect((await balance()) - before).toBe(AMOUNT);
});

it.each([
  ['amount', { amount: 4_000 }],
  ['currency', { currency: 'eur' }],
  ['livemode', { livemode: true }],
])(
  'what is paid with another %s waits for the operator, who accepts or dismisses it',
  async (reason, alter) => {
    const before = await balance();
    const { payment, checkout_url } = await topUp();
    await disturb(checkout_url, { alter });
    await act(checkout_url, 'pay');
    await becomes(payment.id, { state: 'review', credit_grant_id: null });
    await disturb(checkout_url, {});
    expect(await balance()).toBe(before);
    const { data } = of(200, await operator('GET', '?state=review'));
    expect(data).toMatchObject([{ id: payment.id, review_reason: reason }]);
    if (reason === 'amount') {
      expect(of(200, await operator('POST', `/${payment.id}/accept`))).toMatchObject({ state: 'succeeded' });
      expect((await balance()) - before).toBe(AMOUNT);
    } else {
      expect(of(200, await operator('POST', `/${payment.id}/dismiss`))).toMatchObject({ state: 'dismissed' });
      expect(await balance()).toBe(before);
    }
    expect((await operator('POST', `/${payment.id}/accept`)).status).toBe(409);
  },
);

it('a declined card fails the payment, which may still be paid', async () => {
  const { payment, checkout_url } = await topUp();
  await act(checkout_url, 'decline');
  await becomes(payment.id, { state: 'failed', failure_code: 'generic_decline' });
  await act(checkout_url, 'pay');
  await becomes(payment.id, { state: 'succeeded' });
});

it('a cancelled payment can no longer be paid', async () => {
  const { payment, checkout_url } = await topUp();
  // It is cancelled once the provider has answered, which a busy one does later.
  await eventually(async () => {
    const cancelled = await api('POST', `/api/v1/payments/${payment.id}/cancel`);
    expect([cancelled.status, await cancelled.json()]).toMatchObject([200, { state: 'cancelled' }]);
  });
  await act(checkout_url, 'pay');
  expect((await api('POST', `/api/v1/payments/${payment.id}/cancel`)).status).toBe(200);
  expect((await api('GET', `/api/v1/payments/${payment.id}/receipt`)).status).toBe(409);
});

it('a retry with the same key answers with the same payment, and another body is refused', async () => {
  const key = { 'idempotency-key': 'one-top-up' };
  const body = { amount_nanos: AMOUNT };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => retryBusy(() => api('POST', '/api/v1/wallet/top-ups', body, key))),
  );
  const made = await Promise.all(answers.map(async (answer) => (await answer.json()) as TopUp));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  expect(new Set(made.map(({ payment }) => payment.id)).size).toBe(1);
  const other = await api('POST', '/api/v1/wallet/top-ups', { amount_nanos: 2 * AMOUNT }, key);
  expect([other.status, await other.json()]).toMatchObject([
    409,
    { error: { code: 'idempotency_key_reused' } },
  ]);
});

it.each([
  ['amount_nanos', { amount_nanos: 4_990_000_000 }],
  ['amount_nanos', { amount_nanos: 25_000_010_000_000 }],
  ['amount_nanos', { amount_nanos: AMOUNT + 1 }],
  ['success_url', { amount_nanos: AMOUNT, success_url: 'http://elsewhere.example/' }],
  ['cancel_url', { amount_nanos: AMOUNT, cancel_url: 'javascript:alert(1)' }],
])('a top-up with a wrong %s is refused', async (param, body) => {
  const answer = await api('POST', '/api/v1/wallet/top-ups', body);
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: { param } }]);
});

it('an event with a wrong signature is refused', async () => {
  const event = { method: 'POST', body: '{"id":"evt_1"}' };
  for (const signature of [undefined, 't=1,v1=00', `t=${String(Math.floor(Date.now() / 1_000))},v1=00`]) {
    const headers = {
      'content-type': 'application/json',
      ...(signature && { 'stripe-signature': signature }),
    };
    const answer = await fetch(`${svc.baseUrl}/payments/stripe/webhook`, { ...event, headers });
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { param: 'Stripe-Signature' } },
    ]);
  }
});

it('refunds and disputes take the credit back, and a won dispute gives it again', async () => {
  const before = await balance();
  const { payment, checkout_url } = await topUp();
  await act(checkout_url, 'pay');
  await becomes(payment.id, { state: 'succeeded' });
  const refund = { amount_nanos: 10_000_000_000, reason: 'Too much' };
  of(200, await operator('POST', `/${payment.id}/refund`, refund));
  await becomes(payment.id, { state: 'partially_refunded', refunded_nanos: 10_000_000_000 });
  expect((await balance()) - before).toBe(40_000_000_000);
  expect(
    (await operator('POST', `/${payment.id}/refund`, { ...refund, amount_nanos: 50_000_000_000 })).status,
  ).toBe(409);
  await simulate(checkout_url, 'POST', `/${payment.id}/dispute`, { cents: '4000' });
  await becomes(payment.id, { state: 'disputed', disputed_nanos: 40_000_000_000 });
  expect(await balance()).toBe(before);
  await simulate(checkout_url, 'POST', `/${payment.id}/dispute/won`);
  await becomes(payment.id, { state: 'partially_refunded', disputed_nanos: 0 });
  expect((await balance()) - before).toBe(40_000_000_000);
  const kinds = (await read('/api/v1/wallet/transactions?kind=refund,dispute')).data as { kind: string }[];
  expect(kinds.map(({ kind }) => kind)).toEqual(['dispute', 'dispute', 'refund']);
});

inBrowser('the checkout, in a real browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('says that no money moves, and leads from its address to a credited wallet', async () => {
    const before = await balance();
    const { payment, checkout_url } = await topUp();
    const page = await browser.newPage();
    await page.goto(checkout_url);
    expect(await page.getByRole('heading').innerText()).toBe('Test mode: no money moves');
    await page.getByRole('button', { name: 'Decline' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('declined');
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.waitForURL((url) => url.origin === svc.baseUrl);
    await becomes(payment.id, { state: 'succeeded' });
    expect((await balance()) - before).toBe(AMOUNT);
    const audit = await openLedgerAudit(svc);
    const books = await audit.books().finally(() => audit.close());
    expect(books.allEntriesNanos).toBe(0n);
    expect(books.walletEntriesNanos).toBe(books.balanceNanos);
    await page.close();
    const receipt = await browser.newPage({ extraHTTPHeaders: { authorization: `Bearer ${svc.apiKey}` } });
    await receipt.goto(`${svc.baseUrl}/api/v1/payments/${payment.id}/receipt`);
    expect(await receipt.getByRole('heading').innerText()).toMatch(/^Receipt TEST-\d{6}$/);
    expect(await receipt.getByRole('cell', { name: '$50.00 USD' }).count()).toBe(1);
    expect((await receipt.pdf()).subarray(0, 4).toString()).toBe('%PDF');
    await receipt.close();
  });
});
