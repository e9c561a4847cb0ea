import { OPERATIONS } from '@svc/protocol';
import { GatewayError } from '@svc/kernel';
import fc from 'fast-check';
import { isAvailable } from '../routing/availability';
import { planRoute } from '../routing/plan-route';
import { type OrganizationFacts } from '../routing/routing-facts';
import { arbitraryRouting, callOf, endpoint, factsOf, modelOf } from '../routing/testing/arbitrary-routing';
import { compilePolicy, meetOfKeys, type PolicyTriple } from './meet';
import { type Policy } from './policy';
import { PolicyRefusal } from './policy-denials';
import { policyOf, readDocumentOf } from './policy-document';
import { arbitraryTriple } from './testing/arbitrary-policies';

const RUNS = { numRuns: 1_000 };

const compiled = (triple: PolicyTriple): Policy => compilePolicy(policyOf(triple.organization), triple);
const of = (organization: object, project: object | null = null, key: object | null = null): Policy =>
  compiled({
    organization: readDocumentOf('organization', organization),
    project: project && readDocumentOf('project', project),
    key: key && readDocumentOf('key', key),
  });

/** The triple as it ends at each level, from the widest. */
const narrowing = (triple: PolicyTriple): readonly PolicyTriple[] => [
  { ...triple, project: null, key: null },
  { ...triple, key: null },
  triple,
];

describe('a compiled policy', () => {
  it('is the organization’s own object where no lower level has a policy', () => {
    const { organization } = { organization: readDocumentOf('organization', { sort: 'latency' }) };
    const own = policyOf(organization);
    expect(compilePolicy(own, { organization, project: null, key: null })).toBe(own);
  });

  it('reaches at each level only endpoints that the level above reaches', () => {
    fc.assert(
      fc.property(arbitraryRouting, arbitraryTriple, ({ endpoints, circumstances, call }, triple) => {
        const reached = narrowing(triple).map((each) => {
          const facts = { ...factsOf(endpoints, circumstances), policy: compiled(each) };
          try {
            return planRoute(callOf({ ...call, compatMode: 'permissive' }), {
              ...facts,
              policy: { ...facts.policy, maxAttempts: null },
            }).attempts.map(({ endpoint }) => endpoint.id);
          } catch (error) {
            if (error instanceof GatewayError) return [];
            throw error;
          }
        });
        const [organization = [], project = [], key = []] = reached;
        const beyond = [
          ...project.filter((id) => !organization.includes(id)),
          ...key.filter((id) => !project.includes(id)),
        ];
        expect(beyond).toEqual([]);
      }),
      RUNS,
    );
  });

  it('lists exactly the models that a plain call reaches', () => {
    fc.assert(
      fc.property(arbitraryRouting, arbitraryTriple, ({ endpoints, circumstances }, triple) => {
        const facts = factsOf(endpoints, { ...circumstances, openCircuits: [] });
        const policy = compiled(triple);
        const isReached = OPERATIONS.some((operation) => {
          try {
            planRoute(callOf({ operation }), { ...facts, policy });
            return true;
          } catch {
            return false;
          }
        });
        const organization: OrganizationFacts = { ...facts, policy };
        expect(isAvailable(modelOf(endpoints), organization)).toBe(isReached);
      }),
      RUNS,
    );
  });

  it('has the least numbers, the strictest retention and the rates of each level', () => {
    const policy = of(
      {
        retention: 'content',
        max_output_tokens: 900,
        max_cost_nanos: 5,
        end_user_rate_limit_rpm: 9,
        sort: 'latency',
      },
      { retention: 'metadata', max_output_tokens: 100, end_user_rate_limit_rpm: 20, rate_limit_tpm: 1_000 },
      { max_output_tokens: 500, max_cost_nanos: 7, require_end_user: true, allowed_ips: ['192.0.2.1'] },
    );
    expect(policy).toMatchObject({
      retention: 'metadata',
      maxOutputTokens: 100,
      maxCost: 5n,
      requireEndUser: true,
      sort: 'latency',
      allowedIps: ['192.0.2.1'],
      rates: {
        endUser: { rpm: 9, tpm: null },
        endUserInProject: { rpm: 20, tpm: null },
        project: { rpm: null, tpm: 1_000 },
      },
    });
  });

  it('allows nothing where its allowed lists have nothing in common', () => {
    expect(of({ allowed_models: ['a/b'] }, { allowed_models: ['a/c'] }).allowedModels).toEqual(new Set());
  });
});

describe('a refusal', () => {
  const refusalUnder = (policy: Policy): PolicyRefusal => {
    const facts = factsOf([endpoint('0')]);
    try {
      planRoute(callOf(), { ...facts, policy });
    } catch (error) {
      if (error instanceof PolicyRefusal) return error;
      throw error;
    }
    throw new Error('was planned');
  };

  it.each([
    [{ denied_regions: ['eu'] }, null, 'organization', 'denied_regions', 'noEligibleRoute'],
    [{}, { allowed_regions: [] }, 'project', 'allowed_regions', 'noEligibleRoute'],
    [{}, { denied_operations: ['chat_completions'] }, 'project', 'denied_operations', 'noEligibleRoute'],
    [{}, { allowed_models: [] }, 'project', 'allowed_models', 'notFound'],
  ])('of %j and %j is that of the %s', (organization, project, level, field, reason) => {
    const refusal = refusalUnder(of(organization, project));
    expect([refusal.reason, refusal.denials]).toEqual([reason, [{ level, field }]]);
    expect(refusal.message.includes(`\`${field}\``)).toBe(reason !== 'notFound');
  });

  it('names every level that leaves out a part, where none leaves out all', () => {
    const facts = factsOf([endpoint('0'), endpoint('1', { region: 'us' })]);
    const policy = of({ denied_regions: ['eu'] }, null, { denied_regions: ['us'] });
    expect(() => planRoute(callOf(), { ...facts, policy })).toThrow(
      expect.objectContaining({
        denials: [
          { level: 'organization', field: 'denied_regions' },
          { level: 'key', field: 'denied_regions' },
        ],
      }) as Error,
    );
  });
});

describe('the policy of a key that a key made', () => {
  it('allows what both allow', () => {
    const met = meetOfKeys(
      readDocumentOf('key', { allowed_models: ['a/b', 'a/c'], max_output_tokens: 7 }),
      readDocumentOf('key', { allowed_models: ['a/c', 'a/d'], denied_regions: ['us'], retention: 'none' }),
    );
    expect(met).toMatchObject({
      allowed_models: ['a/c'],
      denied_regions: ['us'],
      max_output_tokens: 7,
      retention: 'none',
    });
  });
});

describe('the output limit of a policy', () => {
  const limited = of({}, { max_output_tokens: 10 });
  const planned = (outputTokensAsked: number | null, compatMode: 'permissive' | 'strict' = 'permissive') =>
    planRoute(
      callOf({ outputTokensAsked, compatMode, body: outputTokensAsked === null ? {} : { max_tokens: 99 } }),
      { ...factsOf([endpoint('0')]), policy: limited },
    );

  it('takes the place of the model’s own', () => {
    expect(planned(null)).toMatchObject({
      model: { maxOutputTokens: 10 },
      isOutputLimited: true,
      warnings: [],
    });
  });

  it('is told to who asks for more, by the caller’s own field', () => {
    expect(planned(99).warnings).toMatchObject([{ param: 'max_tokens', code: 'limited_by_policy' }]);
    expect(planned(10).warnings).toEqual([]);
  });

  it('refuses a strict call that asks for more', () => {
    expect(() => planned(99, 'strict')).toThrow(
      expect.objectContaining({ reason: 'capabilityUnsupported', param: 'max_tokens' }) as Error,
    );
  });
});
