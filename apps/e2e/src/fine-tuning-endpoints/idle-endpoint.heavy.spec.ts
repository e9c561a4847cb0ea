import { of } from '../distributed/tenant';
import { type Svc } from '../harness/svc-process';
import { EndpointOwner, expectPriced, startSvcOfShortSlices } from './endpoint-owner';

let svc: Svc;
beforeAll(async () => {
  svc = await startSvcOfShortSlices();
});
afterAll(() => svc.stop());

it('an endpoint that nobody calls stops as idle', async () => {
  const owner = new EndpointOwner(svc, svc.apiKey);
  const endpoint = await owner.newEndpoint({ idle_stop_minutes: 1 });
  of(200, await owner.order(endpoint.id, 'start'));
  await owner.until(endpoint.id, 'running');
  const stopped = await owner.until(endpoint.id, 'stopped', 180_000);
  expect(stopped.stop_reason).toBe('idle');
  expect(stopped.running_seconds).toBeGreaterThanOrEqual(60);
  expectPriced(stopped);
});
