import { startInstallation, type Installation } from '../harness/installation';
import { startSimulator, type Simulator } from '../harness/simulator-process';
import { cachedShare, cachingCatalog, converse, namings, newPool, type Naming } from './conversations';

const CREDENTIALS = 5;
const TALK = { sessions: 200, turns: 50 };

describe(`200 conversations of 50 turns with ${String(CREDENTIALS)} credentials, over three edges`, () => {
  let svc: Installation;
  let simulator: Simulator;
  let edges: readonly string[];
  beforeAll(async () => {
    simulator = await startSimulator();
    svc = await startInstallation({ edges: 3, catalog: cachingCatalog(simulator.url) });
    edges = svc.edges.map(({ url }) => url);
  });
  afterAll(async () => {
    await svc.stop();
    await simulator.stop();
  });

  it.each(Object.keys(namings) as Naming[])(
    'write no more than 1.05 times what they write with one credential, and read 95 % of it: named by %s',
    async (naming) => {
      const use = await converse(edges, await newPool(svc, 1), { ...TALK, naming });
      const pooled = await converse(edges, await newPool(svc, CREDENTIALS), { ...TALK, naming });
      expect(pooled.written).toBeLessThanOrEqual(1.05 * use.written);
      expect(cachedShare(pooled)).toBeGreaterThanOrEqual(0.95 * cachedShare(use));
    },
  );

  it('write three times as much without affinity', async () => {
    const naming = 'a session header';
    const pooled = await converse(edges, await newPool(svc, CREDENTIALS), { ...TALK, naming });
    const off = await newPool(svc, CREDENTIALS, { affinity: 'off' });
    const spread = await converse(edges, off, { ...TALK, naming });
    expect(spread.written).toBeGreaterThanOrEqual(3 * pooled.written);
  });
});
