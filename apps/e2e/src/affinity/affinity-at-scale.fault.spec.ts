import { startInstallation, type Installation } from '../harness/installation';
import { startSimulator, type Simulator } from '../harness/simulator-process';
import {
  cachedShare,
  cachingCatalog,
  converse,
  namings,
  newPool,
  type CacheUse,
  type Naming,
} from './conversations';

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

  // Each takes minutes.
  describe.each(Object.keys(namings) as Naming[])('named by %s', (naming) => {
    const talk = async (credentials: number, policy: object = {}) =>
      converse(edges, await newPool(svc, credentials, policy), { ...TALK, naming });
    let use: CacheUse;
    let pooled: CacheUse;

    it('have one credential to compare with', async () => {
      use = await talk(1);
      expect(use.written).toBeGreaterThan(0);
    });

    it('write no more than 1.05 times what they write with one credential, and read 95 % of it', async () => {
      pooled = await talk(CREDENTIALS);
      expect(pooled.written).toBeLessThanOrEqual(1.05 * use.written);
      expect(cachedShare(pooled)).toBeGreaterThanOrEqual(0.95 * cachedShare(use));
    });

    it('write three times as much without affinity', async () => {
      const spread = await talk(CREDENTIALS, { affinity: 'off' });
      expect(spread.written).toBeGreaterThanOrEqual(3 * pooled.written);
    });
  });
});
