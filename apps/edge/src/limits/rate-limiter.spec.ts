import { AFFINITY_TTL_MS } from '@svc/policy';
import { FakeClock } from '@svc/testing';
import { InProcessLimiter } from './in-process-limiter';
import { describeLimiter } from './rate-limiter.contract';

describeLimiter('in this process', (clock) =>
  Promise.resolve({ limiter: new InProcessLimiter(clock), close: () => Promise.resolve() }),
);

describe('the affinity entries in this process', () => {
  it('live for ten minutes from the last time that they were kept', async () => {
    const clock = new FakeClock();
    const limiter = new InProcessLimiter(clock);
    const name = { organizationId: 'org_1', key: 'one' };
    const owner = { organizationId: 'org_1', apiKeyId: 'key_1', buckets: [] };
    const found = async () => (await limiter.admit(owner, { requests: 0, tokens: 0 }, name)).entry;
    limiter.keepEntry(name, 'here');
    clock.advance(AFFINITY_TTL_MS - 1);
    expect(await found()).toBe('here');
    limiter.keepEntry(name, 'here');
    clock.advance(AFFINITY_TTL_MS - 1);
    expect(await found()).toBe('here');
    clock.advance(1);
    expect(await found()).toBeUndefined();
  });

  it('are at most 100,000: those used last stay', async () => {
    const limiter = new InProcessLimiter(new FakeClock());
    const owner = { organizationId: 'org_1', apiKeyId: 'key_1', buckets: [] };
    const nameOf = (nth: number) => ({ organizationId: 'org_1', key: String(nth) });
    const found = async (nth: number) =>
      (await limiter.admit(owner, { requests: 0, tokens: 0 }, nameOf(nth))).entry;
    for (let nth = 0; nth < 100_000; nth++) limiter.keepEntry(nameOf(nth), 'here');
    expect(await found(0)).toBe('here');
    limiter.keepEntry(nameOf(100_000), 'here');
    expect([await found(0), await found(1), await found(100_000)]).toEqual(['here', undefined, 'here']);
  });
});
