import fc from 'fast-check';
import { defaultOf, type PolicyDocument } from './policy';
import { conflictsOf, isListChange, isSamePolicy, policyDiff, rebased } from './policy-diff';

const defaultDocument = defaultOf('organization');
const count = fc.option(fc.integer({ min: 1, max: 10 }));
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'));
const rollout = (name: string): PolicyDocument['rollouts'][number] => ({
  name,
  model: 'acme/small',
  to: { region: 'us' },
  share_bps: 500,
  by: 'end_user',
});
const policies: fc.Arbitrary<PolicyDocument> = fc.record({
  allowed_providers: fc.option(names),
  denied_providers: names,
  allowed_regions: fc.option(names),
  denied_regions: names,
  allowed_models: fc.option(names),
  denied_models: names,
  allowed_operations: fc.option(fc.constantFrom(['messages' as const], [])),
  denied_operations: fc.constantFrom(['responses' as const], []),
  allowed_ips: fc.option(names),
  require_zero_retention: fc.boolean(),
  require_end_user: fc.boolean(),
  max_output_tokens: count,
  max_cost_nanos: fc.option(fc.bigInt({ min: 0n, max: 10n })),
  end_user_rate_limit_rpm: count,
  end_user_rate_limit_tpm: count,
  rate_limit_rpm: count,
  rate_limit_tpm: count,
  sort: fc.constantFrom('price', 'latency', 'throughput'),
  max_attempts: count,
  credential_mode: fc.constantFrom('own_first', 'own_only', 'platform_only'),
  affinity: fc.constantFrom('auto', 'always', 'off'),
  rollouts: fc.subarray([rollout('one'), rollout('other')]),
  retention: fc.option(fc.constantFrom('none', 'metadata', 'content')),
});

describe('the difference of two policies', () => {
  it('leads from the one to the other', () => {
    fc.assert(
      fc.property(policies, policies, (from, to) => {
        const changes = policyDiff(from, to).map(({ field, to: value }) => [field, value]);
        expect(isSamePolicy({ ...from, ...Object.fromEntries(changes) } as PolicyDocument, to)).toBe(true);
      }),
    );
  });

  it('is empty for the same names in another order', () => {
    const one = { ...defaultDocument, denied_regions: ['us', 'eu'] };
    expect(policyDiff(one, { ...one, denied_regions: ['eu', 'us'] })).toEqual([]);
  });

  it('names what was added and removed, and tells all from none', () => {
    const from = { ...defaultDocument, denied_regions: ['us', 'eu'] };
    const to: PolicyDocument = { ...from, denied_regions: ['eu', 'asia'], allowed_models: [] };
    expect(policyDiff(from, to)).toEqual([
      {
        field: 'denied_regions',
        from: ['us', 'eu'],
        to: ['eu', 'asia'],
        names: { added: ['asia'], removed: ['us'] },
      },
      { field: 'allowed_models', from: null, to: [], names: null },
    ]);
  });
});

describe('a draft put on a version that somebody wrote since', () => {
  it('is theirs without changes of mine, and mine without changes of theirs', () => {
    fc.assert(
      fc.property(policies, policies, (base, changed) => {
        expect(isSamePolicy(rebased(base, base, changed), changed)).toBe(true);
        expect(isSamePolicy(rebased(base, changed, base), changed)).toBe(true);
      }),
    );
  });

  it('loses no name that I added, and no field that they alone changed', () => {
    fc.assert(
      fc.property(policies, policies, policies, (base, mine, theirs) => {
        const both = rebased(base, mine, theirs);
        const own = policyDiff(base, mine);
        for (const change of own.filter(isListChange))
          expect(both[change.field] ?? []).toEqual(expect.arrayContaining([...(change.names?.added ?? [])]));
        const alone = policyDiff(base, theirs).filter(({ field }) => !own.some((of) => of.field === field));
        for (const { field, to } of alone) expect(both[field]).toEqual(to);
      }),
    );
  });

  it('names the fields that both changed to different values', () => {
    const mine: PolicyDocument = { ...defaultDocument, sort: 'latency', retention: 'none', max_attempts: 2 };
    const theirs: PolicyDocument = { ...defaultDocument, sort: 'throughput', retention: 'none' };
    expect(conflictsOf(defaultDocument, mine, theirs)).toEqual(['sort']);
  });
});
