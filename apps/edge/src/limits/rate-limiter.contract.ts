import {
  admit,
  bucketGroups,
  bucketsFor,
  credentialBuckets,
  giveBack,
  limitHeaders,
  rateLimitError,
  withBucketGroups,
  type BucketDemand,
  type BucketOwner,
  type BucketState,
  type FurtherLimits,
} from '@svc/limits';
import { type GatewayError } from '@svc/kernel';
import { eventually, FakeClock } from '@svc/testing';
import fc from 'fast-check';
import { type LimitDecision, type RateLimiter } from './rate-limiter';

interface OpenLimiter {
  readonly limiter: RateLimiter;
  close(): Promise<void>;
}

/** The promises of every limiter. @param name of where its buckets are, as the tests say it. */
export function describeLimiter(name: string, open: (clock: FakeClock) => Promise<OpenLimiter>): void {
  describe(`the four buckets ${name}`, () => {
    let clock: FakeClock;
    let limiter: RateLimiter;
    let close: () => Promise<void>;
    beforeAll(async () => {
      clock = new FakeClock();
      ({ limiter, close } = await open(clock));
    });
    afterAll(() => close());

    let organizationId: string;
    let organizations = 0;
    const nextOrganization = () => (organizationId = `org_${String(++organizations)}`);
    beforeEach(nextOrganization);
    const ownerOf = (
      apiKeyId: string,
      key = { rpm: 10, tpm: 1_000 },
      organization = { rpm: 15, tpm: 1_500 },
    ) =>
      ({
        apiKeyId: `${apiKeyId}_${organizationId}`,
        organizationId,
        buckets: bucketsFor(key, organization),
      }) satisfies BucketOwner;
    const take = (owner: BucketOwner, tokens: number, requests = 1) =>
      limiter.admit(owner, { requests, tokens });

    it('are drawn on together: the headers show the one with the least headroom', async () => {
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

    it('are apart from those of a credential, which all its calls draw on', async () => {
      const credential = credentialBuckets(`cred_of_${organizationId}`, { rpm: 2, tpm: null });
      const send = () => limiter.admit(credential, { requests: 1, tokens: 1_000_000 });
      const [first, , second] = await Promise.all([send(), take(ownerOf('key_1'), 1_000), send()]);
      expect([first.refusal, second.refusal]).toEqual([null, null]);
      expect((await send()).refusal).toMatchObject({ param: 'requests', retryAfterMs: 30_000 });
      expect((await take(ownerOf('key_2'), 500)).refusal).toBeNull();
      clock.advance(30_000);
      expect((await send()).refusal).toBeNull();
    });

    it('name in a refusal the bucket that rejected, and when the call would fit', async () => {
      const owner = ownerOf('key_1');
      for (let call = 1; call <= 10; call++) await take(owner, 0);
      const { refusal, headers } = await take(owner, 0);
      expect(refusal).toMatchObject({ param: 'requests', retryAfterMs: 6_000 });
      expect(headers).toMatchObject({ 'X-RateLimit-Limit': '10', 'X-RateLimit-Remaining': '0' });
      clock.advance(6_000);
      expect((await take(owner, 0)).refusal).toBeNull();
    });

    it('are shared by two keys of one organization, except for each key’s own', async () => {
      for (let call = 1; call <= 10; call++) await take(ownerOf('key_1'), 0);
      for (let call = 1; call <= 5; call++) expect((await take(ownerOf('key_2'), 0)).refusal).toBeNull();
      const { refusal, headers } = await take(ownerOf('key_2'), 0);
      expect(refusal).toMatchObject({ param: 'requests' });
      expect(headers).toMatchObject({ 'X-RateLimit-Scope': 'org', 'X-RateLimit-Limit': '15' });
    });

    it('are not shared by two organizations', async () => {
      for (let call = 1; call <= 10; call++) await take(ownerOf('key_1'), 150);
      nextOrganization();
      const stranger = ownerOf('key_9');
      expect((await take(stranger, 1_000)).refusal).toBeNull();
    });

    it('get back what a call took when a later step refuses it, and no more', async () => {
      const owner = ownerOf('key_1');
      const { giveBack } = await take(owner, 600);
      await take(owner, 300);
      await giveBack();
      const { headers } = await take(owner, 0);
      expect(headers).toMatchObject({ 'X-RateLimit-Limit': '1000', 'X-RateLimit-Remaining': '700' });
    });

    it('never exceed their capacity, however late a call returns what it took', async () => {
      const owner = ownerOf('key_1');
      const { giveBack } = await take(owner, 600);
      clock.advance(60_000);
      await giveBack();
      expect((await take(owner, 1_000)).refusal).toBeNull();
      expect((await take(owner, 1)).refusal).toMatchObject({ param: 'tokens' });
    });

    it('lose nothing to a call that returns what it took under a lower limit', async () => {
      const { giveBack } = await take(ownerOf('key_1', { rpm: 10, tpm: 100 }), 100);
      clock.advance(60_000);
      const raised = ownerOf('key_1', { rpm: 10, tpm: 1_000 });
      await take(raised, 0);
      await giveBack();
      expect((await take(raised, 1_000)).refusal).toBeNull();
    });

    it('get nothing back from a call that they refused', async () => {
      const owner = ownerOf('key_1');
      await take(owner, 900);
      const { giveBack } = await take(owner, 900);
      await giveBack();
      expect((await take(owner, 101)).refusal).toMatchObject({ param: 'tokens' });
    });

    it('can be peeked at: that decides as for a call, and takes nothing', async () => {
      const owner = ownerOf('key_1');
      for (let peek = 0; peek < 20; peek++) {
        expect(await limiter.peek(owner, { requests: 1, tokens: 0 })).toMatchObject({ refusal: null });
      }
      for (let call = 1; call <= 10; call++) expect((await take(owner, 0)).refusal).toBeNull();
      const seen = await limiter.peek(owner, { requests: 1, tokens: 0 });
      await seen.giveBack();
      const { refusal, headers } = await take(owner, 0);
      expect(seen).toMatchObject({ headers, refusal: { message: refusal?.message, param: 'requests' } });
      expect(seen.refusal?.retryAfterMs).toBe(6_000);
      clock.advance(6_000);
      expect(await limiter.peek(owner, { requests: 1, tokens: 0 })).toMatchObject({ refusal: null });
      expect((await take(owner, 0)).refusal).toBeNull();
    });

    it('reject as invalid what could never fit', async () => {
      await expect(take(ownerOf('key_1'), 1_001)).rejects.toMatchObject({
        code: 'invalid_request',
        param: 'max_output_tokens',
      });
    });

    describe('with more of them, of a project and its end users,', () => {
      const NOBODY = { rpm: null, tpm: null };
      const further: FurtherLimits = {
        projectId: 'proj_1',
        project: { rpm: 4, tpm: 900 },
        endUserId: 'eu_1',
        endUser: { rpm: 3, tpm: 800 },
        endUserOfProject: { rpm: 2, tpm: 700 },
      };
      const counted = (changes: Partial<FurtherLimits> = {}, apiKeyId = 'key_1') =>
        withBucketGroups(ownerOf(apiKeyId), bucketGroups({ ...further, ...changes }));

      it('name the scope of the one that rejects, and take nothing from the others then', async () => {
        for (let call = 1; call <= 2; call++) expect((await take(counted(), 10)).refusal).toBeNull();
        const refused = await take(counted(), 10);
        expect(refused.refusal).toMatchObject({ param: 'requests' });
        expect(refused.refusal?.message).toMatch(/^The end user's limit of 2 requests per minute is used up/);
        expect(refused.headers).toMatchObject({ 'X-RateLimit-Limit': '2', 'X-RateLimit-Scope': 'end_user' });
        // The project has two of its four left: another end user gets both, and no third one.
        const other = counted({ endUserId: 'eu_2' }, 'key_2');
        for (let call = 1; call <= 2; call++) expect((await take(other, 10)).refusal).toBeNull();
        const third = await take(counted({ endUserId: 'eu_3' }, 'key_2'), 10);
        expect(third.refusal?.message).toMatch(/^The project's limit of 4 requests/);
        expect(third.headers).toMatchObject({ 'X-RateLimit-Limit': '4', 'X-RateLimit-Scope': 'project' });
      });

      it('are apart by project, except for those of the end user in all projects', async () => {
        for (let call = 1; call <= 2; call++) await take(counted(), 10);
        const elsewhere = counted({ projectId: 'proj_2' });
        expect((await take(elsewhere, 10)).refusal).toBeNull();
        expect((await take(elsewhere, 10)).refusal?.message).toMatch(/^The end user's limit of 3 requests/);
        expect((await take(counted({ endUserId: null }), 10)).refusal).toBeNull();
      });

      it('get back what a call took when a later step refuses it', async () => {
        for (let call = 1; call <= 5; call++) await (await take(counted(), 700)).giveBack();
        expect((await take(counted(), 700)).refusal).toBeNull();
      });

      it('reject as invalid what could never fit one of them', async () => {
        await expect(take(counted(), 701)).rejects.toMatchObject({
          param: 'max_output_tokens',
          message: expect.stringContaining("the end user's limit of 700 tokens") as string,
        });
      });

      it('limit requests or tokens alone, and are not the binding ones for the other', async () => {
        const limits = { project: { ...NOBODY, tpm: 50 }, endUser: NOBODY, endUserOfProject: null };
        const { headers } = await take(counted(limits), 10);
        expect(headers).toMatchObject({ 'X-RateLimit-Scope': 'project', 'X-RateLimit-Remaining': '40' });
        for (let call = 2; call <= 10; call++) expect((await take(counted(limits), 0)).refusal).toBeNull();
        expect((await take(counted(limits), 0)).headers).toMatchObject({ 'X-RateLimit-Scope': 'key' });
      });

      it('are looked at by a peek, too', async () => {
        for (let call = 1; call <= 2; call++) await take(counted(), 0);
        const { refusal, headers } = await limiter.peek(counted(), { requests: 1, tokens: 0 });
        expect(refusal).toMatchObject({ param: 'requests' });
        expect(headers).toMatchObject({ 'X-RateLimit-Scope': 'end_user' });
      });
    });

    describe('with the affinity entries beside them,', () => {
      const entryFor = async (key: string, owner = ownerOf('key_1')) =>
        (await limiter.admit(owner, { requests: 0, tokens: 0 }, { organizationId, key })).entry;

      it('say where a conversation was answered last, and nothing of one that they do not know', async () => {
        expect(await entryFor('one')).toBeUndefined();
        limiter.keepEntry({ organizationId, key: 'one' }, 'endpoint\ncred_1');
        await eventually(async () => expect(await entryFor('one')).toBe('endpoint\ncred_1'));
        expect(await entryFor('two')).toBeUndefined();
        const decision = await take(ownerOf('key_1'), 1);
        expect(decision.entry).toBeUndefined();
        limiter.keepEntry({ organizationId, key: 'one' }, 'endpoint\ncred_2');
        await eventually(async () => expect(await entryFor('one')).toBe('endpoint\ncred_2'));
      });

      it('keep those of organizations apart', async () => {
        limiter.keepEntry({ organizationId, key: 'one' }, 'here');
        await eventually(async () => expect(await entryFor('one')).toBe('here'));
        nextOrganization();
        expect(await entryFor('one')).toBeUndefined();
      });

      it('tell each of the calls that come at once of its own', async () => {
        const keys = ['a', 'b', 'c', 'd'];
        for (const key of keys.slice(0, 3)) limiter.keepEntry({ organizationId, key }, `ü${key}`.repeat(50));
        await eventually(async () => expect(await entryFor('c')).toBeDefined());
        const found = await Promise.all([
          ...keys.map((key) => entryFor(key)),
          take(ownerOf('key_1'), 1).then(({ entry }) => entry),
          entryFor('a', ownerOf('key_2')),
        ]);
        const [a, b, c] = keys.map((key) => `ü${key}`.repeat(50));
        expect(found).toEqual([a, b, c, undefined, undefined, a]);
      });

      it('say it of a refused call too, which takes nothing', async () => {
        limiter.keepEntry({ organizationId, key: 'one' }, 'here');
        await eventually(async () => expect(await entryFor('one')).toBe('here'));
        await take(ownerOf('key_1'), 1_000);
        const refused = await limiter.admit(
          ownerOf('key_1'),
          { requests: 1, tokens: 1 },
          { organizationId, key: 'one' },
        );
        expect([refused.refusal?.code, refused.entry]).toEqual(['rate_limit', 'here']);
      });
    });

    it('follow a limit that was lowered', async () => {
      await take(ownerOf('key_1'), 0);
      const lowered = ownerOf('key_1', { rpm: 2, tpm: 1_000 });
      const admitted = [await take(lowered, 0), await take(lowered, 0), await take(lowered, 0)];
      expect(admitted.map(({ refusal }) => refusal === null)).toEqual([true, true, false]);
    });

    it('answer as the rule does: calls, refills, changed limits, returns, a clock that goes back', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(arbitraryStep, { maxLength: 40 }), async (steps) => {
          nextOrganization();
          const rule = new RuleAlone(clock);
          const returns: (() => Promise<unknown>)[] = [];
          for (const { afterMs, apiKeyId, key, organization, further, demand, returned } of steps) {
            clock.advance(afterMs);
            const owner = withBucketGroups(ownerOf(apiKeyId, key, organization), bucketGroups(further));
            const expected = await answerOf(rule, owner, demand);
            const answer = await answerOf(limiter, owner, demand);
            expect(answer.said).toEqual(expected.said);
            returns.push(() => Promise.all([expected.giveBack(), answer.giveBack()]));
            if (returned !== null) await returns.splice(returned % returns.length, 1)[0]?.();
          }
        }),
        { numRuns: 200 },
      );
    });
  });
}

const limitOf = (rpmMax: number, tpmMax: number) =>
  fc.record({ rpm: fc.integer({ min: 1, max: rpmMax }), tpm: fc.integer({ min: 1, max: tpmMax }) });

/** A call some time after the last one, and perhaps the return of what an earlier call took. */
const arbitraryStep = fc.record({
  afterMs: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: -2_000, max: 3_000 }) },
    { weight: 1, arbitrary: fc.nat({ max: 90_000 }) },
  ),
  apiKeyId: fc.constantFrom('key_1', 'key_2'),
  key: fc.oneof({ weight: 4, arbitrary: fc.constant({ rpm: 6, tpm: 1_000 }) }, limitOf(12, 2_000)),
  organization: fc.oneof({ weight: 4, arbitrary: fc.constant({ rpm: 9, tpm: 1_500 }) }, limitOf(20, 3_000)),
  further: fc.record({
    projectId: fc.constantFrom(null, 'proj_1', 'proj_2'),
    project: fc.constantFrom(null, { rpm: 8, tpm: null }, { rpm: 7, tpm: 1_300 }),
    endUserId: fc.constantFrom(null, 'eu_1', 'eu_2'),
    endUser: fc.constantFrom(null, { rpm: 4, tpm: 1_100 }),
    endUserOfProject: fc.constantFrom(null, { rpm: null, tpm: 1_050 }),
  }),
  demand: fc.record({
    requests: fc.integer({ min: 1, max: 3 }),
    tokens: fc.oneof(fc.nat({ max: 100 }), fc.nat({ max: 1_100 })),
  }),
  returned: fc.option(fc.nat(), { freq: 3 }),
});

type Buckets = Pick<RateLimiter, 'admit' | 'peek'>;

/** The pure rule over a map: the oracle for every limiter. */
class RuleAlone implements Buckets {
  private readonly states = new Map<string, BucketState>();

  constructor(private readonly clock: FakeClock) {}

  peek(): Promise<LimitDecision> {
    return Promise.reject(new Error('The rule alone is not looked at.'));
  }

  admit(
    { apiKeyId, organizationId, buckets, groupIds = [] }: BucketOwner,
    demand: BucketDemand,
  ): Promise<LimitDecision> {
    const holders = [apiKeyId, organizationId, ...groupIds.map((id) => `${organizationId} ${id}`)];
    const names = holders.flatMap((id) => [`${id}/requests`, `${id}/tokens`]);
    const stored = () => names.map((name) => this.states.get(name));
    const store = (states: readonly BucketState[]) => {
      names.forEach((name, at) => this.states.set(name, states[at]!));
    };
    return Promise.resolve().then(() => {
      const before = stored().map((state) => state ?? null);
      const admission = admit(buckets, before, demand, this.clock.now());
      store(admission.states);
      const { admitted, states } = admission;
      return {
        headers: limitHeaders(buckets, states, admitted ? null : admission.rejected),
        refusal: admitted ? null : rateLimitError(admission.rejected, admission.retryAfterSeconds),
        giveBack: () => {
          if (admitted) store(giveBack(buckets, stored() as BucketState[], demand));
          return Promise.resolve();
        },
      };
    });
  }
}

/** A decision of a limiter, with the public fields of its refusal, and how to return what it took. */
async function answerOf(limiter: Buckets, owner: BucketOwner, demand: BucketDemand) {
  const decision = await limiter.admit(owner, demand).catch((refusal: unknown) => ({
    headers: {},
    refusal: refusal as GatewayError,
    giveBack: () => Promise.resolve(),
  }));
  const { headers, refusal, giveBack } = decision;
  const said = refusal && {
    reason: refusal.reason,
    message: refusal.message,
    param: refusal.param,
    retryAfterMs: refusal.retryAfterMs,
  };
  return { said: { headers, refusal: said }, giveBack };
}
