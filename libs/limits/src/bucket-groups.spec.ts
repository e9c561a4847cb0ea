import fc from 'fast-check';
import { admit } from './admit';
import { type BucketState } from './bucket';
import { bucketGroups, withBucketGroups, type BucketOwner, type FurtherLimits } from './bucket-groups';
import { limitHeaders } from './limit-headers';
import { bucketsFor } from './limits';

const owner: BucketOwner = {
  apiKeyId: 'key_1',
  organizationId: 'org_1',
  buckets: bucketsFor({ rpm: null, tpm: null }, { rpm: null, tpm: null }),
};
const limits: FurtherLimits = {
  projectId: 'proj_1',
  project: { rpm: 10, tpm: 1_000 },
  endUserId: 'eu_1',
  endUser: { rpm: 5, tpm: null },
  endUserOfProject: { rpm: null, tpm: 300 },
};

describe('the groups of buckets that count a call', () => {
  it('are of its project, its end user, and its end user in the project', () => {
    expect(bucketGroups(limits).map(({ id, buckets }) => [id, buckets[0].scope])).toEqual([
      ['proj_1', 'project'],
      ['eu_1', 'end_user'],
      ['proj_1:eu_1', 'end_user'],
    ]);
  });

  it.each<[string, Partial<FurtherLimits>, readonly string[]]>([
    ['without a project', { projectId: null }, ['eu_1']],
    ['without an end user', { endUserId: null }, ['proj_1']],
    ['without limits', { project: null, endUser: null, endUserOfProject: { rpm: null, tpm: null } }, []],
  ])('%s are those that have a limit', (_, changes, ids) => {
    expect(bucketGroups({ ...limits, ...changes }).map(({ id }) => id)).toEqual(ids);
  });

  it('follow the four of every call, which is its owner’s own object where there is none', () => {
    expect(withBucketGroups(owner, [])).toBe(owner);
    const { buckets, groupIds } = withBucketGroups(owner, bucketGroups(limits));
    expect(buckets.slice(0, 4)).toEqual(owner.buckets);
    expect([buckets.length, groupIds]).toEqual([10, ['proj_1', 'eu_1', 'proj_1:eu_1']]);
  });

  it('refuse nothing and bind nothing where they have no limit', () => {
    const unlimited = bucketGroups({ ...limits, project: { rpm: null, tpm: 2 ** 31 - 1 } }).slice(0, 1);
    const calls = fc.array(fc.record({ afterMs: fc.nat(5_000), tokens: fc.nat(3_000) }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.integer({ min: 3_000, max: 2 ** 31 - 1 }), calls, (tpm, made) => {
        const plain = { ...owner, buckets: bucketsFor({ rpm: 2 ** 31 - 1, tpm }, { rpm: 2 ** 31 - 1, tpm }) };
        const grouped = withBucketGroups(plain, unlimited);
        let [nowMs, plainStates, states]: [number, readonly BucketState[], readonly BucketState[]] = [
          0,
          [],
          [],
        ];
        for (const { afterMs, tokens } of made) {
          nowMs += afterMs;
          const expected = admit(plain.buckets, plainStates, { requests: 1, tokens }, nowMs);
          const found = admit(grouped.buckets, states, { requests: 1, tokens }, nowMs);
          expect(found.admitted).toBe(expected.admitted);
          expect(limitHeaders(grouped.buckets, found.states)).toEqual(
            limitHeaders(plain.buckets, expected.states),
          );
          [plainStates, states] = [expected.states, found.states];
        }
      }),
    );
  });
});
