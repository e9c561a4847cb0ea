import { TIME_BOUNDS } from '../rules/histogram';
import { type CallMinute } from '../store/call-minutes/call-minute-store';

/** Counts by the number of their bound; 0 for a bound that is not named. */
export const histogramOf = (counts: Readonly<Record<number, number>>): ArrayLike<number> =>
  Uint32Array.from({ length: TIME_BOUNDS }, (_, bound) => counts[bound] ?? 0);

/** A minute with one call as an edge writes it, but for these changes. */
export const callMinute = (changes: Partial<CallMinute> = {}): CallMinute => ({
  writerId: '00000000-0000-4000-8000-000000000001',
  organizationId: 'org_1',
  minuteMs: Date.parse('2026-11-20T12:00:00.000Z'),
  projectId: null,
  apiKeyId: 'key_1',
  model: 'acme/small',
  provider: 'acme',
  calls: 1,
  failures: 0,
  cancelled: 0,
  tries: 1,
  inputTokens: 10,
  cachedInputTokens: 2,
  cacheWriteTokens: 3,
  outputTokens: 5,
  reasoningTokens: 1,
  spentNanos: 570,
  durations: histogramOf({ 22: 1 }),
  timesToFirstToken: histogramOf({}),
  ...changes,
});
