import { eventually } from '@svc/testing';
import { newTenant, of } from '../distributed/tenant';
import { type Svc } from '../harness/svc-process';
import {
  EndpointOwner,
  expectPriced,
  HARDWARE,
  OF_A_SLICE,
  PRICE_PER_HOUR,
  startSvcOfShortSlices,
  WITHIN_MS,
} from './endpoint-owner';

let svc: Svc;
beforeAll(async () => {
  svc = await startSvcOfShortSlices();
});
afterAll(() => svc.stop());

it('an endpoint is started, serves its model for nothing more than its hours, and is stopped', async () => {
  const owner = new EndpointOwner(svc, svc.apiKey);
  const endpoint = await owner.newEndpoint();
  const { model } = await owner.read(endpoint.id);
  expect(endpoint).toMatchObject({ state: 'stopped', price_per_hour_nanos: PRICE_PER_HOUR });
  const before = await owner.call(model);
  expect([before.status, before.body.error?.code]).toEqual([422, 'no_eligible_route']);
  const second = await owner.api('POST', '/fine-tuning/endpoints', { model, hardware: HARDWARE });
  expect(second.status).toBe(409);

  expect(of(200, await owner.order(endpoint.id, 'start'))).toMatchObject({ state: 'starting' });
  expect((await owner.order(endpoint.id, 'start')).status).toBe(409);
  const running = await owner.until(endpoint.id, 'running');
  expect(running.stops_at).not.toBeNull();
  await eventually(async () => {
    expect(await owner.call(model)).toMatchObject({ status: 200, body: { model } });
  }, 30_000);
  expect((await owner.api('DELETE', `/fine-tuning/endpoints/${endpoint.id}`)).status).toBe(409);
  await eventually(async () => {
    expect((await owner.read(endpoint.id)).charged_nanos).toBeGreaterThanOrEqual(2 * OF_A_SLICE);
  }, WITHIN_MS);

  expect(of(200, await owner.order(endpoint.id, 'stop'))).toMatchObject({
    state: 'stopping',
    stop_reason: 'user',
  });
  const stopped = await owner.until(endpoint.id, 'stopped');
  expectPriced(stopped);
  expect((await owner.call(model)).status).toBe(422);

  const { data: calls } = of(200, await owner.api('GET', `/requests?model=${encodeURIComponent(model)}`));
  expect((calls as { status: string; cost: { customer_nanos: number } }[])[0]).toMatchObject({
    status: 'succeeded',
    cost: { customer_nanos: 0 },
  });
  const { data: transactions } = of(
    200,
    await owner.api('GET', '/wallet/transactions?kind=fine_tuning_endpoint&limit=100'),
  );
  expect(transactions).toContainEqual(expect.objectContaining({ fine_tuning_endpoint_id: endpoint.id }));
  const paid = (transactions as { amount_nanos: number }[]).reduce(
    (sum, { amount_nanos: nanos }) => sum + Math.abs(nanos),
    0,
  );
  expect(paid).toBe(stopped.charged_nanos);
  expect((of(200, await owner.api('GET', '/wallet')) as { held_nanos: number }).held_nanos).toBe(0);
  expect((await owner.api('DELETE', `/fine-tuning/endpoints/${endpoint.id}`)).status).toBe(204);
  expect((await owner.api('GET', `/fine-tuning/endpoints/${endpoint.id}`)).status).toBe(404);
});

it('an endpoint stops when the wallet is empty, and never costs more than there was', async () => {
  const credit = 5_000_000n;
  const owner = new EndpointOwner(svc, (await newTenant(svc, credit)).apiKey);
  const endpoint = await owner.newEndpoint();
  of(200, await owner.order(endpoint.id, 'start'));
  await owner.until(endpoint.id, 'running');
  const stopped = await owner.until(endpoint.id, 'stopped');
  expect(stopped.stop_reason).toBe('wallet_empty');
  expectPriced(stopped);
  const wallet = of(200, await owner.api('GET', '/wallet')) as {
    balance_nanos: number;
    held_nanos: number;
  };
  expect(wallet.held_nanos).toBe(0);
  expect(wallet.balance_nanos).toBeGreaterThanOrEqual(0);
  expect(wallet.balance_nanos).toBeLessThan(OF_A_SLICE);
  const refused = await owner.order(endpoint.id, 'start');
  expect([refused.status, refused.body.error.code]).toEqual([402, 'insufficient_funds']);
  // Another organization does not know it.
  expect(
    (await new EndpointOwner(svc, svc.apiKey).api('GET', `/fine-tuning/endpoints/${endpoint.id}`)).status,
  ).toBe(404);
});
