import fc from 'fast-check';
import { headroomBpsAt, headroomIn } from './headroom';

const nowMs = Date.UTC(2026, 0, 1);

describe('the headroom of a credential', () => {
  it('is the least that is left of a limit, until that limit is reset', () => {
    const headroom = headroomIn(
      {
        'x-ratelimit-limit-requests': '200',
        'x-ratelimit-remaining-requests': '50',
        'x-ratelimit-reset-requests': '10s',
        'x-ratelimit-limit-tokens': '1000',
        'x-ratelimit-remaining-tokens': '990',
        'x-ratelimit-reset-tokens': '1s',
      },
      nowMs,
    );
    expect(headroom).toEqual({ bps: 2_500, untilMs: nowMs + 10_000 });
    expect(headroomBpsAt(headroom ?? undefined, nowMs + 9_999)).toBe(2_500);
    expect(headroomBpsAt(headroom ?? undefined, nowMs + 10_000)).toBeNull();
  });

  it.each(['requests', 'tokens', 'input-tokens', 'output-tokens'])(
    'is read from Anthropic’s headers of %s',
    (unit) => {
      const headers = {
        [`anthropic-ratelimit-${unit}-limit`]: '4000',
        [`anthropic-ratelimit-${unit}-remaining`]: '1',
        [`anthropic-ratelimit-${unit}-reset`]: '2026-01-01T00:00:20Z',
      };
      expect(headroomIn(headers, nowMs)).toEqual({ bps: 2, untilMs: nowMs + 20_000 });
    },
  );

  it('holds for a minute where no reset is told', () => {
    const headers = { 'x-ratelimit-limit-tokens': '10', 'x-ratelimit-remaining-tokens': '10' };
    expect(headroomIn(headers, nowMs)).toEqual({ bps: 10_000, untilMs: nowMs + 60_000 });
  });

  it.each<[Record<string, string>]>([
    [{}],
    [{ 'x-ratelimit-limit-tokens': '10' }],
    [{ 'x-ratelimit-limit-tokens': '0', 'x-ratelimit-remaining-tokens': '0' }],
    [{ 'x-ratelimit-limit-tokens': '10', 'x-ratelimit-remaining-tokens': '-1' }],
    [{ 'x-ratelimit-limit-tokens': 'many', 'x-ratelimit-remaining-tokens': '5' }],
  ])('is not known from %j', (headers) => {
    expect(headroomIn(headers, nowMs)).toBeNull();
  });

  it('is from 0 to 10000, for a day at most, or not known, whatever the provider sends', () => {
    const text = fc.oneof(
      fc.string(),
      fc.nat().map(String),
      fc.constantFrom('999999999999999', '9'.repeat(400) + 'h'),
    );
    fc.assert(
      fc.property(text, text, text, (limit, remaining, reset) => {
        const headers = {
          'x-ratelimit-limit-tokens': limit,
          'x-ratelimit-remaining-tokens': remaining,
          'x-ratelimit-reset-tokens': reset,
        };
        const { bps, untilMs } = headroomIn(headers, nowMs) ?? { bps: 0, untilMs: nowMs };
        expect(bps >= 0 && bps <= 10_000).toBe(true);
        expect(untilMs >= nowMs && untilMs <= nowMs + 86_400_000).toBe(true);
      }),
    );
  });
});
