import { percentileOf } from '@svc/usage';
import { endedCall } from '../testing/ended-call';
import { CallMinuteSums } from './call-minute-sums';

const MINUTE_MS = 60_000;
const NOON = Date.parse('2026-11-20T12:00:00.000Z');

let writers: number;
const newSums = (sumsMax = 100) => {
  writers = 0;
  return new CallMinuteSums(sumsMax, () => `writer ${String(++writers)}`);
};

const spent = (nanos: number) => ({ customerNanos: nanos, providerNanos: 0 });

describe('sums of calls by the minute', () => {
  it('add up what is alike, and keep apart what is not', () => {
    const sums = newSums();
    for (const more of [{}, {}, { projectId: 'prj_1' }, { apiKeyId: 'key_2' }, { model: 'acme/large' }]) {
      sums.add(endedCall(more), spent(570), NOON);
    }
    sums.add(endedCall({}, ['other']), spent(570), NOON);
    expect(sums.changed()).toHaveLength(5);
    expect(sums.changed()[0]).toMatchObject({
      writerId: 'writer 1',
      organizationId: 'org_1',
      minuteMs: NOON,
      projectId: null,
      apiKeyId: 'key_1',
      model: 'acme/small',
      provider: 'acme',
      calls: 2,
      failures: 0,
      cancelled: 0,
      tries: 2,
      inputTokens: 14,
      outputTokens: 10,
      spentNanos: 1_140,
    });
  });

  it('end with the minute in which a call ends', () => {
    const sums = newSums();
    for (const atMs of [NOON, NOON + 59_999, NOON + 60_000]) sums.add(endedCall(), spent(1), atMs);
    expect(sums.changed()).toMatchObject([
      { minuteMs: NOON, calls: 2 },
      { minuteMs: NOON + MINUTE_MS, calls: 1 },
    ]);
  });

  it('count a provider that was asked before another one answered: its tries, and no call', () => {
    const sums = newSums();
    sums.add(endedCall({}, ['first', 'first', 'second']), spent(1), NOON);
    expect(sums.changed()).toMatchObject([
      { provider: 'second', calls: 1, tries: 1, outputTokens: 5 },
      { provider: 'first', calls: 0, tries: 2, outputTokens: 0, spentNanos: 0 },
    ]);
  });

  it('count a call that nobody answered under no provider', () => {
    const sums = newSums();
    const unanswered = {
      status: 'failed',
      httpStatus: 502,
      servedBy: null,
      usage: null,
      ttftMs: null,
    } as const;
    sums.add(endedCall(unanswered, ['acme']), spent(0), NOON);
    sums.add(endedCall(unanswered, []), spent(0), NOON);
    expect(sums.changed()).toMatchObject([
      { provider: null, calls: 2, failures: 2, tries: 0 },
      { provider: 'acme', calls: 0, failures: 0, tries: 1 },
    ]);
  });

  it('count as failures neither what the caller did wrong, nor calls whose caller left', () => {
    const sums = newSums();
    const ended = [
      ['failed', 400],
      ['failed', 409],
      ['failed', 429],
      ['failed', 503],
      ['failed', 200],
      ['failed', null],
      ['cancelled', null],
      ['succeeded', 200],
    ] as const;
    for (const [status, httpStatus] of ended) sums.add(endedCall({ status, httpStatus }), spent(1), NOON);
    expect(sums.changed()).toMatchObject([{ calls: 8, failures: 4, cancelled: 1 }]);
  });

  it('have the times of answers: how long whole ones took, and when they began', () => {
    const sums = newSums();
    sums.add(endedCall({ durationMs: 2_000, ttftMs: 500 }), spent(1), NOON);
    sums.add(endedCall({ status: 'failed', durationMs: 9_000, ttftMs: 500 }), spent(1), NOON);
    sums.add(endedCall({ status: 'cancelled', durationMs: 9_000, ttftMs: null }), spent(1), NOON);
    const [{ durations, timesToFirstToken } = { durations: [], timesToFirstToken: [] }] = sums.changed();
    const total = (counts: Iterable<number>) => [...counts].reduce((sum, count) => sum + count, 0);
    expect([total(durations), total(timesToFirstToken)]).toEqual([1, 2]);
    expect(percentileOf([...durations], 0.5)).toBeCloseTo(2_000, -3);
    expect(percentileOf([...timesToFirstToken], 0.95)).toBeCloseTo(500, -2);
  });

  it('have another writer once the clock went back, so that no minute is begun anew under the same key', () => {
    const sums = newSums();
    for (const atMs of [NOON, NOON + MINUTE_MS, NOON, NOON + 1, NOON + MINUTE_MS]) {
      sums.add(endedCall(), spent(1), atMs);
    }
    expect(sums.changed().map(({ writerId, minuteMs, calls }) => [writerId, minuteMs - NOON, calls])).toEqual(
      [
        ['writer 1', 0, 1],
        ['writer 1', MINUTE_MS, 1],
        ['writer 2', 0, 2],
        ['writer 2', MINUTE_MS, 1],
      ],
    );
  });

  it('take a bounded memory: what has no room is told to be dropped, until what is written is freed', () => {
    const sums = newSums(2);
    expect(sums.add(endedCall({ apiKeyId: 'key_1' }), spent(1), NOON)).toBe(true);
    expect(sums.add(endedCall({ apiKeyId: 'key_2' }, ['other', 'acme']), spent(1), NOON)).toBe(false);
    expect(sums.add(endedCall({ apiKeyId: 'key_3' }), spent(1), NOON)).toBe(false);
    expect(sums.add(endedCall({ apiKeyId: 'key_1' }), spent(1), NOON)).toBe(true);
    for (const sum of sums.changed()) sum.isWritten = true;
    sums.forgetWritten();
    expect(sums.add(endedCall({ apiKeyId: 'key_3' }), spent(1), NOON)).toBe(false);
    expect(sums.add(endedCall({ apiKeyId: 'key_3' }), spent(1), NOON + MINUTE_MS)).toBe(false);
    sums.forgetWritten();
    expect(sums.add(endedCall({ apiKeyId: 'key_3' }), spent(1), NOON + MINUTE_MS)).toBe(true);
  });
});
