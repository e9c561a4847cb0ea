import { DEFAULT_POLICY, policyOf, readPolicyDocument, readStoredPolicy } from './policy-document';

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
      require_zero_retention: false,
      require_end_user: false,
      sort: 'latency',
      max_attempts: null,
      credential_mode: 'own_first',
      retention: 'metadata',
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
    [{ retention: 'all' }, 'retention'],
    [{ provider: 'acme' }, 'provider'],
    [null, undefined],
    [[], undefined],
  ])('%j is refused at %s', (written, param) => {
    expect(() => readPolicyDocument(written)).toThrow(refusal(param));
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
