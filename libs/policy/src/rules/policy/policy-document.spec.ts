import {
  DEFAULT_POLICY,
  policyOf,
  readDocumentOf,
  readPolicyDocument,
  readStoredPolicy,
  storedDocument,
} from './policy-document';

const refusal = (param: string | undefined) =>
  expect.objectContaining({ reason: 'invalidRequest', param }) as Error;

describe('a policy document', () => {
  it('has a default for every absent field', () => {
    expect(readPolicyDocument({ sort: 'latency' })).toEqual({
      allowed_providers: null,
      denied_providers: [],
      allowed_regions: null,
      denied_regions: [],
      allowed_models: null,
      denied_models: [],
      allowed_operations: null,
      denied_operations: [],
      require_zero_retention: false,
      require_end_user: false,
      max_output_tokens: null,
      max_cost_nanos: null,
      end_user_rate_limit_rpm: null,
      end_user_rate_limit_tpm: null,
      sort: 'latency',
      max_attempts: null,
      credential_mode: 'own_first',
      affinity: 'auto',
      retention: 'metadata',
      rollouts: [],
    });
  });

  it('is read without changes', () => {
    const written = readPolicyDocument({ allowed_models: [], denied_regions: ['us'], max_attempts: 2 });
    expect(readPolicyDocument(JSON.parse(JSON.stringify(written)))).toEqual(written);
  });

  it.each([
    [{ denied_models: ['a/b', ''] }, 'denied_models[1]'],
    [{ allowed_models: ['small'] }, 'allowed_models[0]'],
    [{ allowed_regions: 'eu' }, 'allowed_regions'],
    [{ denied_regions: ['eu\u0000'] }, 'denied_regions[0]'],
    [{ denied_providers: ['\ud800'] }, 'denied_providers[0]'],
    [{ denied_providers: ['a'.repeat(201)] }, 'denied_providers[0]'],
    [{ denied_providers: Array<string>(1001).fill('acme') }, 'denied_providers'],
    [{ sort: 'quality' }, 'sort'],
    [{ max_attempts: 0 }, 'max_attempts'],
    [{ max_attempts: 1.5 }, 'max_attempts'],
    [{ max_attempts: 11 }, 'max_attempts'],
    [{ require_zero_retention: 'yes' }, 'require_zero_retention'],
    [{ credential_mode: null }, 'credential_mode'],
    [{ affinity: 'on' }, 'affinity'],
    [{ affinity: null }, 'affinity'],
    [{ retention: 'all' }, 'retention'],
    [{ retention: null }, 'retention'],
    [{ allowed_operations: ['completions'] }, 'allowed_operations[0]'],
    [{ max_output_tokens: 0 }, 'max_output_tokens'],
    [{ max_cost_nanos: -1 }, 'max_cost_nanos'],
    [{ end_user_rate_limit_rpm: 0 }, 'end_user_rate_limit_rpm'],
    [{ rate_limit_rpm: 5 }, 'rate_limit_rpm'],
    [{ allowed_ips: [] }, 'allowed_ips'],
    [{ provider: 'acme' }, 'provider'],
    [null, undefined],
    [[], undefined],
  ])('%j is refused at %s', (written, param) => {
    expect(() => readPolicyDocument(written)).toThrow(refusal(param));
  });

  it.each([
    ['project', { sort: 'price' }, 'sort'],
    ['project', { max_attempts: null }, 'max_attempts'],
    ['project', { credential_mode: 'own_only' }, 'credential_mode'],
    ['project', { affinity: 'off' }, 'affinity'],
    ['key', { affinity: 'auto' }, 'affinity'],
    ['project', { allowed_ips: null }, 'allowed_ips'],
    ['key', { end_user_rate_limit_tpm: 1 }, 'end_user_rate_limit_tpm'],
    ['key', { rate_limit_tpm: 1 }, 'rate_limit_tpm'],
    ['key', { sort: 'price' }, 'sort'],
    ['key', { allowed_ips: ['example.com'] }, 'allowed_ips[0]'],
    ['key', { allowed_ips: Array<string>(101).fill('192.0.2.1') }, 'allowed_ips'],
  ] as const)('of a %s does not take %j', (level, written, param) => {
    expect(() => readDocumentOf(level, written)).toThrow(refusal(param));
  });

  it('is stored so that the version before can read one that uses no new field', () => {
    const known = ['allowed_models', 'denied_models', 'sort', 'retention'];
    const stored = storedDocument(readPolicyDocument({ denied_models: ['a/b'], max_output_tokens: 5 }));
    expect(Object.keys(stored)).toEqual(expect.arrayContaining([...known, 'max_output_tokens']));
    expect(Object.keys(stored)).not.toContain('allowed_operations');
    expect(readStoredPolicy(stored)).toEqual(
      readPolicyDocument({ denied_models: ['a/b'], max_output_tokens: 5 }),
    );
  });

  it('may name what no catalog lists', () => {
    const ahead = { allowed_models: ['acme/next'], denied_providers: ['gone'], allowed_regions: ['moon'] };
    expect(readPolicyDocument(ahead)).toMatchObject(ahead);
  });

  it('that is stored and cannot be read is an internal error', () => {
    expect(readStoredPolicy({ sort: 'latency' })).toEqual(readPolicyDocument({ sort: 'latency' }));
    expect(() => readStoredPolicy({ sort: 'quality' })).toThrow(
      expect.objectContaining({ reason: 'internal' }) as Error,
    );
  });

  it('allows nothing with an empty allowed list and everything with null', () => {
    expect(policyOf(readPolicyDocument({ allowed_providers: [] })).allowedProviders).toEqual(new Set());
    expect(DEFAULT_POLICY.allowedProviders).toBeNull();
  });
});
