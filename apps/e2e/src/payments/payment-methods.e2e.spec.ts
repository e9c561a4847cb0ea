import { eventually } from '@svc/testing';
import { of } from '../distributed/tenant';
import { sharedSvc, type SharedSvc } from '../harness/shared-svc';
import { callApi } from '../oauth/oauth-app';

let svc: SharedSvc;
beforeAll(async () => {
  svc = await sharedSvc();
});

const call = (method: string, path: string, body?: object) =>
  callApi(svc.baseUrl, method, `/api/v1${path}`, svc.apiKey, body);
const methods = async () => of(200, await call('GET', '/payment-methods')).data as Record<string, unknown>[];
const press = (url: string, action: string) =>
  fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ action }) });

const CARD = {
  id: expect.stringMatching(/^pm_/) as unknown,
  brand: 'visa',
  last4: '4242',
  exp_month: 12,
  exp_year: expect.any(Number) as unknown,
  livemode: false,
  created_at: expect.any(String) as unknown,
};

it('a card that is entered on the page of the provider is listed, and deleted for good', async () => {
  const { setup_url } = of(201, await call('POST', '/payment-methods', {})) as { setup_url: string };
  const page = await (await fetch(setup_url)).text();
  expect(page).toContain('Test mode: no money moves');
  expect((await press(setup_url, 'decline')).status).toBe(200);
  expect(await methods()).toEqual([]);
  expect((await press(setup_url, 'pay')).status).toBe(303);
  await eventually(async () => {
    expect(await methods()).toEqual([CARD]);
  });
  const id = (await methods())[0]?.['id'] as string;
  expect(of(200, await call('GET', `/payment-methods/${id}`))).toEqual(CARD);
  expect((await call('DELETE', `/payment-methods/${id}`)).status).toBe(204);
  expect((await call('GET', `/payment-methods/${id}`)).status).toBe(404);
  expect(await methods()).toEqual([]);
  expect((await call('DELETE', `/payment-methods/${id}`)).status).toBe(404);
  const { data } = of(200, await call('GET', '/audit-log'));
  const entries = data as { action: string; target: { id: string } }[];
  const ofMethod = entries.filter(({ target }) => target.id === id);
  expect(ofMethod.map(({ action }) => action)).toEqual(['payment_method.delete', 'payment_method.create']);
});

it('a top-up keeps its card where that was asked for, and only then', async () => {
  for (const save_payment_method of [false, true]) {
    const body = { amount_nanos: 50_000_000_000, save_payment_method };
    const { payment, checkout_url } = of(201, await call('POST', '/wallet/top-ups', body)) as {
      payment: { id: string };
      checkout_url: string;
    };
    await press(checkout_url, 'pay');
    await eventually(async () => {
      expect(of(200, await call('GET', `/payments/${payment.id}`)).state).toBe('succeeded');
    });
    expect(await methods()).toEqual(save_payment_method ? [CARD] : []);
  }
});
