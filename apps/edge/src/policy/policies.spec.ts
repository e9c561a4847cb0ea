import { DEFAULT_POLICY } from '@svc/policy';
import { type CallPolicy, type PolicyOwner } from '@svc/policy/store';
import { Policies } from './policies';

const NO_LOWER = { projectPolicyVersion: undefined, keyPolicyVersion: undefined };
const VERSION_0 = { policy: DEFAULT_POLICY, policyVersion: 0, ...NO_LOWER };
const NEVER_WRITTEN: CallPolicy = { version: 0, document: null, isNarrowed: false, rollouts: {} };
const CALLER = { organizationId: 'org_1', projectId: 'proj_1', apiKeyId: 'key_1' };

/** The stored policies, and how often they were looked up. */
class Stored {
  organization: () => Promise<CallPolicy> = () => Promise.resolve(NEVER_WRITTEN);
  readonly documents = new Map<string, { readonly version: number; readonly document: object }>();
  readonly lookups: string[] = [];
  forCalls = (id: string) => {
    this.lookups.push(id);
    return this.organization();
  };
  lower = ({ ownerId }: PolicyOwner) => {
    this.lookups.push(ownerId);
    return Promise.resolve(this.documents.get(ownerId) ?? null);
  };
}
let stored: Stored;
let policies: Policies;
beforeEach(() => {
  stored = new Stored();
  policies = new Policies(stored);
});
const store = (document: CallPolicy['document'], isNarrowed = false, version = 3, rollouts = {}) => {
  stored.organization = () => Promise.resolve({ version, document, isNarrowed, rollouts });
};

describe('the policy of an organization', () => {
  it('is the default one until it has written its own', async () => {
    const current = await policies.of(CALLER);
    expect(current).toMatchObject(VERSION_0);
    expect(current.policy).toBe(DEFAULT_POLICY);
  });

  it('is its own, looked up once however many calls ask, and nothing else is looked up', async () => {
    store({ denied_regions: ['us'] });
    const [current] = await Promise.all(Array.from({ length: 5 }, () => policies.of(CALLER)));
    expect(current).toMatchObject({
      policy: { ...DEFAULT_POLICY, deniedRegions: new Set(['us']) },
      policyVersion: 3,
      ...NO_LOWER,
    });
    expect(stored.lookups).toEqual(['org_1']);
  });

  it('refuses every call when it cannot be read', async () => {
    store({ denied_planets: ['mars'] });
    await expect(policies.of(CALLER)).rejects.toMatchObject({ reason: 'internal' });
  });

  it('is looked up again after a lookup failed', async () => {
    const answers = [
      () => Promise.reject(new Error('Connection terminated unexpectedly')),
      () => Promise.resolve(NEVER_WRITTEN),
    ];
    stored.organization = () => answers.shift()!();
    await expect(policies.of(CALLER)).rejects.toMatchObject({
      reason: 'overloaded',
      cause: { message: 'Connection terminated unexpectedly' },
    });
    expect(await policies.of(CALLER)).toMatchObject(VERSION_0);
  });
});

describe('the policy of a call under a project and a key', () => {
  it('is the organization’s own object where neither has one', async () => {
    store({}, true);
    const current = await policies.of(CALLER);
    expect(current.policy).toBe(
      (await policies.of({ ...CALLER, apiKeyId: 'key_2', projectId: null })).policy,
    );
    expect(stored.lookups).toEqual(['org_1', 'proj_1', 'key_1', 'key_2']);
  });

  it('is compiled once for its three versions', async () => {
    store({ max_output_tokens: 9 }, true);
    stored.documents.set('proj_1', { version: 2, document: { denied_models: ['a/b'] } });
    stored.documents.set('key_1', { version: 5, document: { max_output_tokens: 4 } });
    const current = await policies.of(CALLER);
    expect(current).toMatchObject({
      policy: { maxOutputTokens: 4, deniedModels: new Set(['a/b']) },
      ...{ policyVersion: 3, projectPolicyVersion: 2, keyPolicyVersion: 5 },
    });
    policies.invalidate({ of: 'anything' });
    expect(await policies.of(CALLER)).toBe(current);
  });

  it('changes with each of them, once that is told', async () => {
    store({}, true);
    stored.documents.set('key_1', { version: 1, document: { max_output_tokens: 4 } });
    await policies.of(CALLER);
    stored.documents.set('key_1', { version: 2, document: { max_output_tokens: 3 } });
    stored.documents.set('proj_1', { version: 1, document: { max_output_tokens: 2 } });
    expect((await policies.of(CALLER)).policy.maxOutputTokens).toBe(4);
    policies.invalidate({ of: 'lowerPolicy', organizationId: 'org_1', level: 'key', ownerId: 'key_1' });
    expect((await policies.of(CALLER)).policy.maxOutputTokens).toBe(3);
    policies.invalidate({ of: 'lowerPolicy', organizationId: 'org_1', level: 'project', ownerId: 'proj_1' });
    expect((await policies.of(CALLER)).policy.maxOutputTokens).toBe(2);
  });

  it('is looked for again once the organization’s first lower policy is told of', async () => {
    store({});
    await policies.of(CALLER);
    store({}, true);
    stored.documents.set('key_1', { version: 1, document: { allowed_models: [] } });
    policies.invalidate({ of: 'lowerPolicy', organizationId: 'org_1', level: 'key', ownerId: 'key_1' });
    expect((await policies.of(CALLER)).policy.allowedModels).toEqual(new Set());
  });

  it('refuses every call when one of them cannot be read', async () => {
    store({}, true);
    stored.documents.set('proj_1', { version: 1, document: { sort: 'price' } });
    await expect(policies.of(CALLER)).rejects.toMatchObject({ reason: 'internal' });
    expect(await policies.of({ ...CALLER, projectId: null })).toMatchObject({ policyVersion: 3 });
  });
});

describe('the rollouts of a call', () => {
  const rollout = (name: string) => ({
    ...{ name, model: 'acme/small', to: { provider: 'acme' }, share_bps: 500, by: 'api_key' },
    ...{ ends_at: null, abort: { max_error_rate_bps: null, max_ttft_p95_ms: null, min_calls: 1 } },
  });
  const document = { rollouts: [rollout('second'), rollout('ended'), rollout('first')] };
  const ids = { first: 'rol_1', second: 'rol_2' };

  it('are those of the document that run, in its order', async () => {
    store(document, false, 3, ids);
    expect((await policies.of(CALLER)).rollouts).toMatchObject([{ id: 'rol_2' }, { id: 'rol_1' }]);
    expect((await policies.of({ ...CALLER, organizationId: 'org_2' })).rollouts).toHaveLength(2);
  });

  it('end without a new version, also under the policy of a key', async () => {
    stored.documents.set('key_1', { version: 1, document: { max_output_tokens: 4 } });
    store(document, true, 3, ids);
    const before = await policies.of(CALLER);
    store(document, true, 3, {});
    policies.invalidate({ of: 'policy', organizationId: 'org_1' });
    const after = await policies.of(CALLER);
    expect([before.rollouts.length, after.rollouts.length]).toEqual([2, 0]);
    expect(after.policy).toBe(before.policy);
  });
});
