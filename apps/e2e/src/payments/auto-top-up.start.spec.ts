import { eventually } from '@svc/testing';
import { of } from '../distributed/tenant';
import { startHalfOpenProxy, type HalfOpenProxy } from '../harness/half-open-proxy';
import { openLedgerAudit } from '../harness/ledger-audit';
import { newOrganization } from '../harness/new-organization';
import { startSimulator, type Simulator } from '../harness/simulator-process';
import { startSvc, type Svc } from '../harness/svc-process';
import { callApi } from '../oauth/oauth-app';

const DOLLAR = 1_000_000_000;
const CALLS = 200;

let provider: Simulator;
let line: HalfOpenProxy;
let svc: Svc;
beforeAll(async () => {
  provider = await startSimulator();
  line = await startHalfOpenProxy(provider.url);
  // No event of this provider arrives: it is asked.
  const env = { SVC_PAYMENTS: 'test', SVC_STRIPE_API_URL: line.url, SVC_PAYMENT_RECONCILE_SECONDS: '1' };
  svc = await startSvc({ env });
  const audit = await openLedgerAudit(svc);
  await audit.raiseKeyLimits().finally(() => audit.close());
});
afterAll(async () => {
  await svc.stop();
  await line.close();
  await provider.stop();
});

const call = (method: string, path: string, body?: object, apiKey = svc.apiKey) =>
  callApi(svc.baseUrl, method, `/api/v1${path}`, apiKey, body);
const read = async (path: string, apiKey = svc.apiKey) => of(200, await call('GET', path, undefined, apiKey));
const chargesOf = async (apiKey = svc.apiKey) =>
  (await read('/payments', apiKey)).data as { kind: string; state: string }[];

async function savedCard(apiKey = svc.apiKey): Promise<string> {
  const { setup_url } = of(201, await call('POST', '/payment-methods', {}, apiKey)) as { setup_url: string };
  const pressed = {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ action: 'pay' }),
  } as const;
  expect((await fetch(setup_url, pressed)).status).toBe(303);
  const listed = async () => (await read('/payment-methods', apiKey)).data as { id: string }[];
  await eventually(async () => {
    expect(await listed()).toHaveLength(1);
  });
  return (await listed())[0]?.id ?? '';
}

/**
 * Resolves when the worker has looked at all wallets once more: it has charged a new organization. It goes from the oldest
 * organization to the newest.
 */
async function looksAtAllWallets(): Promise<void> {
  const { api_key: apiKey } = await newOrganization(svc);
  if (apiKey === null) throw new Error('The other organization has no key.');
  const settings = {
    enabled: true,
    threshold_nanos: 1_000 * DOLLAR,
    amount_nanos: 5 * DOLLAR,
    monthly_cap_nanos: 5 * DOLLAR,
    payment_method_id: await savedCard(apiKey),
  };
  of(200, await call('PUT', '/wallet/auto-top-up', settings, apiKey));
  await eventually(async () => {
    expect(await chargesOf(apiKey)).toHaveLength(1);
  });
}

async function callsAtOnce(count: number): Promise<ReadonlySet<number>> {
  const body = JSON.stringify({ model: 'simulator/echo', messages: [{ role: 'user', content: 'Hello' }] });
  const headers = { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json' };
  const one = async () => {
    const answer = await fetch(`${svc.baseUrl}/v1/chat/completions`, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    return answer.status;
  };
  return new Set(await Promise.all(Array.from({ length: count }, one)));
}

it('200 calls at once that take the wallet below its threshold lead to one charge, and wait for none', async () => {
  expect(await read('/wallet/auto-top-up')).toMatchObject({ enabled: false, threshold_nanos: null });
  const payment_method_id = await savedCard();
  const before = (await read('/wallet')).available_nanos as number;
  const settings = {
    enabled: true,
    // A little below what is there: the first calls cross it.
    threshold_nanos: Math.floor(before / 10_000_000) * 10_000_000,
    amount_nanos: 5 * DOLLAR,
    monthly_cap_nanos: 5 * DOLLAR,
    payment_method_id,
  };
  of(200, await call('PUT', '/wallet/auto-top-up', settings));
  line.silence('answers');
  expect(await callsAtOnce(CALLS)).toEqual(new Set([200]));
  await eventually(() => {
    expect(line.sentInSilence()).toContain('POST /v1/payment_intents');
  });
  expect(await callsAtOnce(CALLS)).toEqual(new Set([200]));
  // The provider has charged the card, and all calls were answered before anybody here knew.
  expect(await chargesOf()).toMatchObject([{ kind: 'auto', state: 'created' }]);
  line.cut();
  await eventually(async () => {
    expect(await chargesOf()).toMatchObject([{ kind: 'auto', state: 'succeeded', amount_nanos: 5 * DOLLAR }]);
  });
  expect((await read('/wallet')).available_nanos).toBeGreaterThan(before);
  for (let looks = 0; looks < 2; looks++) await looksAtAllWallets();
  expect(await chargesOf()).toHaveLength(1);
  expect(await read('/wallet/auto-top-up')).toMatchObject({
    ...settings,
    charged_this_month_nanos: 5 * DOLLAR,
    disabled_reason: null,
  });
});

it.each([
  ['payment_method_id', { payment_method_id: null }],
  ['payment_method_id', { payment_method_id: 'pm_06dpm2q4x8k3c0v9r7t5w1hzny' }],
  ['monthly_cap_nanos', { monthly_cap_nanos: 4 * DOLLAR }],
  ['amount_nanos', { amount_nanos: 1 * DOLLAR }],
])('a wrong %s is refused', async (param, wrong) => {
  const settings = { ...(await read('/wallet/auto-top-up')), ...wrong } as Record<string, unknown>;
  for (const name of ['disabled_reason', 'charged_this_month_nanos', 'retry_at'])
    Reflect.deleteProperty(settings, name);
  const { status, body } = await call('PUT', '/wallet/auto-top-up', { ...settings, enabled: true });
  expect([status, body]).toMatchObject([400, { error: { param } }]);
});
