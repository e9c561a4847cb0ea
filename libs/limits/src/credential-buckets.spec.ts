import { admit } from './admit';
import { credentialBuckets } from './credential-buckets';

const UNUSED = [null, null, null, null];

describe('the buckets of a credential', () => {
  it('limit requests and tokens, each where it has a rate of its own', () => {
    const { buckets } = credentialBuckets('cred_1', { rpm: 1, tpm: null });
    const first = admit(buckets, UNUSED, { requests: 1, tokens: 1_000_000_000 }, 0);
    expect(first.admitted).toBe(true);
    expect(admit(buckets, first.states, { requests: 1, tokens: 1 }, 0)).toMatchObject({
      admitted: false,
      rejected: { unit: 'requests' },
      retryAfterSeconds: 60,
    });
  });

  it('refuse a call that could never fit, naming the credential', () => {
    const { buckets } = credentialBuckets('cred_1', { rpm: null, tpm: 10 });
    expect(() => admit(buckets, UNUSED, { requests: 1, tokens: 11 }, 0)).toThrow(
      /provider credential's limit of 10 tokens/,
    );
  });
});
