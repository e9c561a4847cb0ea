import { sharedSvc, type SharedSvc } from '../harness/shared-svc';
import { callApi } from '../oauth/oauth-app';
import { of } from '../distributed/tenant';
import { cachedShare, cachingCatalog, converse, namings, newPool, type Naming } from './conversations';

const TALK = { sessions: 10, turns: 10 };

describe('conversations with a pool of three credentials', () => {
  let svc: SharedSvc;
  beforeAll(async () => {
    svc = await sharedSvc({ catalog: cachingCatalog });
  });

  it.each(Object.keys(namings) as Naming[])(
    'use the prompt cache as with one credential, and with `off` they do not: named by %s',
    async (naming) => {
      const [one, pool, off] = [
        await newPool(svc, 1),
        await newPool(svc, 3),
        await newPool(svc, 3, { affinity: 'off' }),
      ];
      const use = await converse([svc.baseUrl], one, { ...TALK, naming });
      const pooled = await converse([svc.baseUrl], pool, { ...TALK, naming });
      const spread = await converse([svc.baseUrl], off, { ...TALK, naming });
      expect(cachedShare(use)).toBeGreaterThan(0.7);
      expect(pooled.written).toBeLessThanOrEqual(1.05 * use.written);
      expect(cachedShare(pooled)).toBeGreaterThanOrEqual(0.95 * cachedShare(use));
      expect(spread.written).toBeGreaterThanOrEqual(2 * pooled.written);
    },
  );

  it('are recorded with the credential of each attempt, and what placed it', async () => {
    const pool = await newPool(svc, 3);
    await converse([svc.baseUrl], pool, { sessions: 8, turns: 2, naming: 'a session header' });
    const answer = await callApi(svc.baseUrl, 'GET', '/api/v1/requests?limit=100', pool.ownerKey);
    const { data } = of(200, answer) as {
      data: { session_id: string; attempts: { credential_id: string; placed_by: string | null }[] }[];
    };
    expect(data).toHaveLength(16);
    const used = new Set<string>();
    for (const turns of Map.groupBy(data, ({ session_id: id }) => id).values()) {
      // The newest first.
      const [[second], [first]] = turns.map(({ attempts }) => attempts) as [
        [(typeof data)[0]['attempts'][0]],
        [(typeof data)[0]['attempts'][0]],
      ];
      expect([first.placed_by, second.placed_by]).toEqual([null, 'affinity']);
      expect(second.credential_id).toBe(first.credential_id);
      used.add(first.credential_id);
    }
    expect(used.size).toBeGreaterThan(1);
    for (const id of used) expect(pool.credentialIds).toContain(id);
  });
});
