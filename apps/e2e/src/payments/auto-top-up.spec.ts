import { eventually } from '@svc/testing';
import { of } from '../distributed/tenant';
import { openLedgerAudit } from '../harness/ledger-audit';
import { startSvc, type Svc } from '../harness/svc-process';
import { callApi } from '../oauth/oauth-app';

jest.setTimeout(300_000);

const DOLLAR = 1_000_000_000;
const SETTLED_WITHIN_MS = 60_000;
const CALLS = 200;

let svc: Svc;
beforeAll(async () => {
  svc = await startSvc({ env: { SVC_PAYMENTS: 'test' } });
  const audit = await openLedgerAudit(svc);
  await audit.raiseKeyLimits().finally(() => audit.close());
});
afterAll(() => svc.stop());

const call = (method: string, path: string, body?: object) =>
  callApi(svc.baseUrl, method, `/api/v1${path}`, svc.apiKey, body);
const read = async (path: string) => of(200, await call('GET', path));

async function savedCard(): Promise<string> {
  const { setup_url } = of(201, await call('POST', '/payment-methods', {})) as { setup_url: string };
  const pressed = {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ action: 'pay' }),
  } as const;
  expect((await fetch(setup_url, pressed)).status).toBe(303);
  const listed = async () => (await read('/payment-methods')).data as { id: string }[];
  await eventually(async () => {
    expect(await listed()).toHaveLength(1);
  }, SETTLED_WITHIN_MS);
  return (await listed())[0]?.id ?? '';
}

it('200 calls at once that take the wallet below its threshold lead to one charge, and wait for none', async () => {
  expect(await read('/wallet/auto-top-up')).toMatchObject({ enabled: false, threshold_nanos: null });
  const payment_method_id = await savedCard();
  const before = (await read('/wallet')).available_nanos as number;
  // A little below what is there: the first calls cross it.
  const threshold_nanos = Math.floor(before / 10_000_000) * 10_000_000;
  const settings = {
    enabled: true,
    threshold_nanos,
    amount_nanos: 5 * DOLLAR,
    monthly_cap_nanos: 5 * DOLLAR,
    payment_method_id,
  };
  of(200, await call('PUT', '/wallet/auto-top-up', settings));
  const body = JSON.stringify({ model: 'simulator/echo', messages: [{ role: 'user', content: 'Hello' }] });
  const headers = { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json' };
  const answers = await Promise.all(
    Array.from({ length: CALLS }, async () => {
      const answer = await fetch(`${svc.baseUrl}/v1/chat/completions`, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
  expect(new Set(answers)).toEqual(new Set([200]));
  const charged = async () => (await read('/payments')).data as { kind: string; state: string }[];
  await eventually(async () => {
    expect(await charged()).toMatchObject([{ kind: 'auto', state: 'succeeded', amount_nanos: 5 * DOLLAR }]);
  }, SETTLED_WITHIN_MS);
  // Three ticks more.
  await new Promise((resolve) => setTimeout(resolve, 16_000));
  expect(await charged()).toHaveLength(1);
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
