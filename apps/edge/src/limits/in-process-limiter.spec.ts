import { bucketsFor } from '@svc/inference';
import { FakeClock } from '@svc/testing';
import { InProcessLimiter } from './in-process-limiter';
import { type BucketOwner } from './rate-limiter';

const ownerOf = (apiKeyId: string, key = { rpm: 10, tpm: 1_000 }, organization = { rpm: 15, tpm: 1_500 }) =>
  ({ apiKeyId, organizationId: 'org_1', buckets: bucketsFor(key, organization) }) satisfies BucketOwner;

let clock: FakeClock;
let limiter: InProcessLimiter;
beforeEach(() => {
  clock = new FakeClock();
  limiter = new InProcessLimiter(clock);
});
const take = (owner: BucketOwner, tokens: number, requests = 1) => limiter.admit(owner, { requests, tokens });

describe('the four buckets in this process', () => {
  it('are drawn on together: the headers tell of the one with the least headroom', async () => {
    const { refusal, headers } = await take(ownerOf('key_1'), 400);
    expect(refusal).toBeNull();
    expect(headers).toEqual({
      'X-RateLimit-Limit': '1000',
      'X-RateLimit-Remaining': '600',
      'X-RateLimit-Reset': '24',
      'X-RateLimit-Scope': 'key',
    });
  });

  it('refuse a call as a whole when one of them is empty: the other three keep what they had', async () => {
    const owner = ownerOf('key_1');
    await take(owner, 1_000);
    const { refusal } = await take(owner, 1);
    expect(refusal).toMatchObject({ code: 'rate_limit', param: 'tokens', retryAfterMs: 1_000 });
    // Nine requests are left: had the refused call taken one, the ninth would not fit.
    for (let call = 1; call <= 9; call++) expect((await take(owner, 0)).refusal).toBeNull();
    expect((await take(owner, 0)).refusal).toMatchObject({ param: 'requests' });
  });

  it('tell in a refusal of the bucket that rejected, and when the call would fit', async () => {
    const owner = ownerOf('key_1');
    for (let call = 1; call <= 10; call++) await take(owner, 0);
    const { refusal, headers } = await take(owner, 0);
    expect(refusal).toMatchObject({ param: 'requests', retryAfterMs: 6_000 });
    expect(headers).toMatchObject({ 'X-RateLimit-Limit': '10', 'X-RateLimit-Remaining': '0' });
    clock.advance(6_000);
    expect((await take(owner, 0)).refusal).toBeNull();
  });

  it('are shared by two keys as far as they are their organization’s', async () => {
    for (let call = 1; call <= 10; call++) await take(ownerOf('key_1'), 0);
    for (let call = 1; call <= 5; call++) expect((await take(ownerOf('key_2'), 0)).refusal).toBeNull();
    const { refusal, headers } = await take(ownerOf('key_2'), 0);
    expect(refusal).toMatchObject({ param: 'requests' });
    expect(headers).toMatchObject({ 'X-RateLimit-Scope': 'org', 'X-RateLimit-Limit': '15' });
  });

  it('are not shared by two organizations', async () => {
    for (let call = 1; call <= 10; call++) await take(ownerOf('key_1'), 150);
    const stranger = { ...ownerOf('key_9'), organizationId: 'org_2' };
    expect((await take(stranger, 1_000)).refusal).toBeNull();
  });

  it('get back what a call took that a later step refused, and no more', async () => {
    const owner = ownerOf('key_1');
    const { giveBack } = await take(owner, 600);
    await take(owner, 300);
    await giveBack();
    const { headers } = await take(owner, 0);
    expect(headers).toMatchObject({ 'X-RateLimit-Limit': '1000', 'X-RateLimit-Remaining': '700' });
  });

  it('never hold more than their capacity, however late they get something back', async () => {
    const owner = ownerOf('key_1');
    const { giveBack } = await take(owner, 600);
    clock.advance(60_000);
    await giveBack();
    expect((await take(owner, 1_000)).refusal).toBeNull();
    expect((await take(owner, 1)).refusal).toMatchObject({ param: 'tokens' });
  });

  it('get nothing back from a call that they refused', async () => {
    const owner = ownerOf('key_1');
    await take(owner, 900);
    const { giveBack } = await take(owner, 900);
    await giveBack();
    expect((await take(owner, 101)).refusal).toMatchObject({ param: 'tokens' });
  });

  it('refuse for good what could never fit', async () => {
    await expect(take(ownerOf('key_1'), 1_001)).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'max_output_tokens',
    });
  });

  it('follow a limit that was lowered', async () => {
    await take(ownerOf('key_1'), 0);
    const lowered = ownerOf('key_1', { rpm: 2, tpm: 1_000 });
    const admitted = [await take(lowered, 0), await take(lowered, 0), await take(lowered, 0)];
    expect(admitted.map(({ refusal }) => refusal === null)).toEqual([true, true, false]);
  });
});
