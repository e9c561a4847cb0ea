import { startSvc, type Svc } from '../harness/svc-process';
import { callApi } from '../oauth/oauth-app';

let svc: Svc;
beforeAll(async () => {
  svc = await startSvc({ env: { SVC_PAYMENTS: 'off' } });
});
afterAll(() => svc.stop());

it('with payments off, what would charge answers 409, and there is nothing for a provider to call', async () => {
  const body = { amount_nanos: 50_000_000_000 };
  const { status, body: answer } = await callApi(
    svc.baseUrl,
    'POST',
    '/api/v1/wallet/top-ups',
    svc.apiKey,
    body,
  );
  expect([status, answer]).toMatchObject([409, { error: { code: 'conflict' } }]);
  const webhook = await fetch(`${svc.baseUrl}/payments/stripe/webhook`, { method: 'POST', body: '{}' });
  expect(webhook.status).toBe(404);
  expect((await callApi(svc.baseUrl, 'GET', '/api/v1/payments', svc.apiKey)).status).toBe(200);
});
