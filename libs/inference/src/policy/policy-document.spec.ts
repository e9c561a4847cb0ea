import { DEFAULT_POLICY, policyOf, readPolicyDocument } from './policy-document';

const refusal = (param: string | undefined) =>
  expect.objectContaining({ reason: 'invalidRequest', param }) as Error;

describe('a policy document', () => {
  it('has a default for every field that it leaves out', () => {
    expect(readPolicyDocument({ sort: 'latency' })).toEqual({
      allowed_providers: null,
      denied_providers: [],
      allowed_regions: null,
      denied_regions: [],
      allowed_models: null,
      denied_models: [],
      require_zero_retention: false,
      sort: 'latency',
      max_attempts: null,
      credential_mode: 'own_first',
      retention: 'metadata',
    });
  });

  it('is read as it was written', () => {
    const written = readPolicyDocument({ allowed_models: [], denied_regions: ['us'], max_attempts: 2 });
    expect(readPolicyDocument(JSON.parse(JSON.stringify(written)))).toEqual(written);
  });

  it.each([
    [{ denied_models: ['a/b', ''] }, 'denied_models[1]'],
    [{ allowed_regions: 'eu' }, 'allowed_regions'],
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

  it('tells an empty allowed list, which allows nothing, from null, which allows all', () => {
    expect(policyOf(readPolicyDocument({ allowed_providers: [] })).allowedProviders).toEqual(new Set());
    expect(DEFAULT_POLICY.allowedProviders).toBeNull();
  });
});
