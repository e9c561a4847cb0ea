import { eventually } from '@svc/testing';
import { newKey, newTenant, of, type InferenceKey } from './distributed/tenant';
import { catalogOf, testModel } from './harness/catalog-file';
import { directed, post } from './harness/clients';
import { startSimulator, type Simulator } from './harness/simulator-process';
import { startSvc, type Svc } from './harness/svc-process';
import { removeFolder, temporaryFolder } from './harness/temporary-folder';
import { callApi } from './oauth/oauth-app';

const CREDIT = 10n ** 12n;
const CALLS = 20;

interface Sums {
  readonly requests: number;
  readonly failed: number;
  readonly customer_nanos: number;
}

describe('usage by the hour', () => {
  let simulator: Simulator;
  let dataDir: string;
  let svc: Svc;
  beforeAll(async () => {
    simulator = await startSimulator();
    dataDir = await temporaryFolder();
    svc = await start();
  });
  afterAll(async () => {
    await svc.stop();
    await simulator.stop();
    await removeFolder(dataDir);
  });

  const start = () => startSvc({ dataDir, catalog: catalogOf({ name: 'only', url: simulator.url }) });
  async function restarted(): Promise<Svc> {
    const { apiKey, platformToken } = svc;
    return { ...(await start()), apiKey, platformToken };
  }
  const call = async ({ secret }: InferenceKey, content?: object): Promise<number> => {
    const messages = [content ?? { role: 'user', content: 'Hi' }];
    const body = { model: testModel, max_tokens: 20, messages };
    const answer = await post(svc, '/v1/chat/completions', body, {
      headers: { authorization: `Bearer ${secret}` },
    });
    await answer.text();
    return answer.status;
  };
  const calls = (key: InferenceKey, count: number) =>
    Promise.all(Array.from({ length: count }, () => call(key)));
  const usage = async (apiKey: string, query: string) =>
    of(200, await callApi(svc.baseUrl, 'GET', `/api/v1/usage?${query}`, apiKey));
  const total = async (apiKey: string, query: string) => (await usage(apiKey, query)).total as Sums;

  it('is soon that of the day, with the failures and times of calls', async () => {
    const tenant = await newTenant(svc, CREDIT);
    const key = await newKey(svc, tenant);
    expect(await calls(key, 3)).toEqual([200, 200, 200]);
    expect(await call(key, directed({ status: 500 }))).toBe(502);
    expect(await call(key, directed({ status: 400, error_message: 'No.' }))).toBe(400);
    const days = await total(tenant.apiKey, 'group_by=day');
    expect(days).toMatchObject({ requests: 5, failed: 1, cancelled: 0 });
    await eventually(async () => {
      expect(await total(tenant.apiKey, 'group_by=hour')).toEqual(days);
    });
    const { data } = await usage(tenant.apiKey, 'group_by=day,provider&include=latency');
    expect(data).toMatchObject([
      { provider: 'only-chat', requests: 3, duration_ms: { p50: expect.any(Number) as number } },
      { provider: null, requests: 2, failed: 1, duration_ms: null },
    ]);
  });

  it('loses at most the last seconds of a killed edge, and counts nothing twice', async () => {
    const tenant = await newTenant(svc, CREDIT);
    const key = await newKey(svc, tenant);
    await calls(key, CALLS);
    await eventually(async () => {
      expect((await total(tenant.apiKey, 'group_by=hour')).requests).toBe(CALLS);
    });
    await calls(key, CALLS);
    await svc.kill();
    svc = await restarted();
    const left = (await total(tenant.apiKey, 'group_by=hour')).requests;
    expect([CALLS, 2 * CALLS]).toContain(left);
    expect((await total(tenant.apiKey, 'group_by=day')).requests).toBe(2 * CALLS);

    await calls(key, 1);
    await eventually(async () => {
      expect((await total(tenant.apiKey, 'group_by=hour')).requests).toBe(left + 1);
    });
  });

  it('has the calls of the last moment before a stop', async () => {
    const tenant = await newTenant(svc, CREDIT);
    const key = await newKey(svc, tenant);
    await calls(key, CALLS);
    expect(await svc.stop()).toBe(0);
    svc = await restarted();
    expect((await total(tenant.apiKey, 'group_by=hour')).requests).toBe(CALLS);
  });
});
