import fc from 'fast-check';
import { providerWaitMs } from './provider-wait';

const nowMs = Date.UTC(2026, 0, 1);
const waitOf = (headers: Readonly<Record<string, string>>) => providerWaitMs(headers, nowMs);

describe('the wait after a rate-limited answer', () => {
  it.each([
    ['7', 7_000],
    [' 2.5 ', 2_500],
    ['0', 1_000],
    ['0.2', 1_000],
    ['1000000000', 3_600_000],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5_000],
    ['Thursday, 01-Jan-26 00:00:05 GMT', 5_000],
    ['Thu Jan  1 00:00:05 2026', 5_000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 1_000],
    ['Fri, 01 Jan 2027 00:00:00 GMT', 3_600_000],
    ['-5', null],
    ['-1000000000', null],
    ['soon', null],
    ['Thursday', null],
    ['1e9', null],
    ['2026-01-01T00:00:05Z', null],
    ['', null],
  ])('of Retry-After %j is %j ms', (header, waitMs) => {
    expect(waitOf({ 'retry-after': header })).toBe(waitMs);
  });

  it.each<[Record<string, string>, number | null]>([
    [{ 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
    [{ 'x-ratelimit-reset-requests': '120ms' }, 1_000],
    [{ 'x-ratelimit-reset-tokens': '2m59.56s' }, 179_560],
    [{ 'x-ratelimit-reset-tokens': '1h30m' }, 3_600_000],
    [{ 'x-ratelimit-reset-tokens': '12' }, 12_000],
    [{ 'x-ratelimit-reset-tokens': 'soon' }, null],
    [{ 'x-ratelimit-reset-tokens': '' }, null],
    [{ 'anthropic-ratelimit-tokens-reset': '2026-01-01T00:00:30Z' }, 30_000],
    [{ 'anthropic-ratelimit-tokens-reset': '2025-01-01T00:00:30Z' }, 1_000],
    [{}, null],
  ])('without a Retry-After is that of the reset header: of %j, %j ms', (headers, waitMs) => {
    expect(waitOf(headers)).toBe(waitMs);
  });

  it('is that of the limit that has the least left', () => {
    const headers = {
      'x-ratelimit-limit-requests': '100',
      'x-ratelimit-remaining-requests': '50',
      'x-ratelimit-reset-requests': '50s',
      'x-ratelimit-limit-tokens': '1000',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '7s',
    };
    expect(waitOf(headers)).toBe(7_000);
    expect(waitOf({ ...headers, 'retry-after': '-1' })).toBe(7_000);
    expect(waitOf({ ...headers, 'retry-after': '9' })).toBe(9_000);
  });

  it('is from 1 s to 1 h, or not known, whatever the provider sends', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (retryAfter, reset) => {
        const waitMs = waitOf({ 'retry-after': retryAfter, 'x-ratelimit-reset-tokens': reset });
        expect(waitMs === null || (waitMs >= 1_000 && waitMs <= 3_600_000)).toBe(true);
      }),
    );
  });
});
