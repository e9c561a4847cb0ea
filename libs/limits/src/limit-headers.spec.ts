import { admit } from './admit';
import { limitHeaders } from './limit-headers';
import { bucketsFor } from './limits';

const demand = { requests: 1, tokens: 1000 };

describe('limitHeaders', () => {
  it('describe the bucket with the smallest share left, not the smallest number', () => {
    const buckets = bucketsFor({ rpm: 10, tpm: 1500 }, { rpm: null, tpm: null });
    const { states } = admit(buckets, [], demand, 0);
    expect(limitHeaders(buckets, states)).toEqual({
      'X-RateLimit-Limit': '1500',
      'X-RateLimit-Remaining': '500',
      'X-RateLimit-Reset': '40',
      'X-RateLimit-Scope': 'key',
    });
  });

  it('describe the bucket that refused the call, even where another has less left', () => {
    const buckets = bucketsFor({ rpm: 1000, tpm: 1000 }, { rpm: 1, tpm: 100_000 });
    const first = admit(buckets, [], demand, 0);
    const second = admit(buckets, first.states, { requests: 1, tokens: 0 }, 30_000);
    if (second.admitted) throw new Error('the organization has one request a minute');
    expect(limitHeaders(buckets, second.states, second.rejected)).toEqual({
      'X-RateLimit-Limit': '1',
      'X-RateLimit-Remaining': '0',
      'X-RateLimit-Reset': '30',
      'X-RateLimit-Scope': 'org',
    });
  });

  it('show the defaults without an override', () => {
    const buckets = bucketsFor({ rpm: null, tpm: null }, { rpm: null, tpm: null });
    expect(buckets.map(({ scope, unit, capacity }) => `${scope} ${unit} ${String(capacity)}`)).toEqual([
      'key requests 600',
      'key tokens 1000000',
      'org requests 6000',
      'org tokens 10000000',
    ]);
  });

  it('round the remaining units down and the time until full up', () => {
    const buckets = bucketsFor({ rpm: 600, tpm: 1_000_000 }, { rpm: null, tpm: null });
    const { states } = admit(buckets, [], { requests: 2, tokens: 0 }, 0);
    const later = admit(buckets, states, { requests: 0, tokens: 0 }, 50);
    expect(limitHeaders(buckets, later.states)).toMatchObject({
      'X-RateLimit-Remaining': '598',
      'X-RateLimit-Reset': '1',
    });
  });
});
