import { DEFAULT_POLICY } from '@svc/policy';
import { Policies } from './policies';

const VERSION_0 = { policy: DEFAULT_POLICY, policyVersion: 0 };

describe('the policy of an organization', () => {
  it('is the default one until it has written its own', async () => {
    expect(await new Policies(() => Promise.resolve(null)).of('org_1')).toEqual(VERSION_0);
  });

  it('is its own, looked up once however many calls ask', async () => {
    let lookups = 0;
    const policies = new Policies(() => {
      lookups += 1;
      return Promise.resolve({ version: 3, document: { denied_regions: ['us'] } });
    });
    const [current] = await Promise.all(Array.from({ length: 5 }, () => policies.of('org_1')));
    expect(current).toEqual({
      policy: { ...DEFAULT_POLICY, deniedRegions: new Set(['us']) },
      policyVersion: 3,
    });
    expect(lookups).toBe(1);
  });

  it('refuses every call when it cannot be read', async () => {
    const policies = new Policies(() =>
      Promise.resolve({ version: 3, document: { denied_planets: ['mars'] } }),
    );
    await expect(policies.of('org_1')).rejects.toMatchObject({ reason: 'internal' });
  });

  it('is looked up again after a lookup failed', async () => {
    const answers = [
      () => Promise.reject(new Error('Connection terminated unexpectedly')),
      () => Promise.resolve(null),
    ];
    const policies = new Policies(() => answers.shift()!());
    await expect(policies.of('org_1')).rejects.toMatchObject({
      reason: 'overloaded',
      cause: { message: 'Connection terminated unexpectedly' },
    });
    expect(await policies.of('org_1')).toEqual(VERSION_0);
  });
});
