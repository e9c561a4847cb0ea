import { TIME_BOUNDS, timeBound } from '@svc/usage';
import { type CallMinute } from '@svc/usage/store';
import { isFailure, type EndedCall } from './ended-call';

const MINUTE_MS = 60_000;

/** A row of the database, as it grows. */
export type CallMinuteSum = { -readonly [Field in keyof CallMinute]: CallMinute[Field] } & {
  readonly durations: Uint32Array;
  readonly timesToFirstToken: Uint32Array;
  /** Whether the database has it, or is being sent it. */
  isWritten: boolean;
};

/**
 * The sums of calls that end with this process, by the minute in which they end. There are at most `sumsMax`: calls beyond
 * them are dropped.
 */
export class CallMinuteSums {
  private minuteMs = 0;
  private writerId: string;
  /** Of the minute that lasts. */
  private current = new Map<string, CallMinuteSum>();
  /** Of minutes that are over: nothing is added to these any more. */
  private past: CallMinuteSum[] = [];

  constructor(
    private readonly sumsMax: number,
    private readonly newWriterId: () => string,
  ) {
    this.writerId = newWriterId();
  }

  /** @returns false where the call, or a try of it, was dropped. */
  add(call: EndedCall, spentNanos: number, nowMs: number): boolean {
    this.enter(nowMs - (nowMs % MINUTE_MS));
    const provider = call.servedBy?.provider.name ?? null;
    const sum = this.sumOf(call, provider);
    if (sum !== undefined) addCall(sum, call, spentNanos);
    let isWhole = sum !== undefined;
    for (const attempt of call.attempts) {
      const tried = attempt.provider === provider ? sum : this.sumOf(call, attempt.provider);
      if (tried === undefined) isWhole = false;
      else tried.tries++;
    }
    return isWhole;
  }

  /** Those that have changed since they were written, the oldest minute first. */
  changed(): readonly CallMinuteSum[] {
    return [...this.past, ...this.current.values()].filter(({ isWritten }) => !isWritten);
  }

  /** Frees what was written of minutes that are over. */
  forgetWritten(): void {
    this.past = this.past.filter(({ isWritten }) => !isWritten);
  }

  /** A clock that goes back would begin a minute anew: a new writer leaves alone what was written of it. */
  private enter(minuteMs: number): void {
    if (minuteMs === this.minuteMs) return;
    if (minuteMs < this.minuteMs) this.writerId = this.newWriterId();
    this.minuteMs = minuteMs;
    this.past.push(...this.current.values());
    this.current = new Map();
  }

  /** It has changed. Undefined where there is no room for another one. */
  private sumOf(call: EndedCall, provider: string | null): CallMinuteSum | undefined {
    const key = `${call.apiKeyId} ${call.model} ${provider ?? ''} ${call.projectId ?? ''}`;
    let sum = this.current.get(key);
    if (sum === undefined) {
      if (this.current.size + this.past.length >= this.sumsMax) return undefined;
      sum = this.newSum(call, provider);
      this.current.set(key, sum);
    }
    sum.isWritten = false;
    return sum;
  }

  private newSum({ organizationId, projectId, apiKeyId, model }: EndedCall, provider: string | null) {
    const { writerId, minuteMs } = this;
    const key = { writerId, organizationId, minuteMs, projectId, apiKeyId, model, provider };
    const [durations, timesToFirstToken] = [new Uint32Array(TIME_BOUNDS), new Uint32Array(TIME_BOUNDS)];
    return { ...key, ...NOTHING, durations, timesToFirstToken, isWritten: false };
  }
}

const NOTHING = {
  calls: 0,
  failures: 0,
  cancelled: 0,
  tries: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  spentNanos: 0,
};

function addCall(sum: CallMinuteSum, call: EndedCall, spentNanos: number): void {
  const { status, usage, ttftMs, durationMs } = call;
  sum.calls++;
  if (isFailure(call)) sum.failures++;
  if (status === 'cancelled') sum.cancelled++;
  sum.spentNanos += spentNanos;
  if (usage !== null) {
    sum.inputTokens += usage.inputTokens;
    sum.cachedInputTokens += usage.cachedInputTokens;
    sum.cacheWriteTokens += usage.cacheWriteTokens;
    sum.outputTokens += usage.outputTokens;
    sum.reasoningTokens += usage.reasoningTokens;
  }
  if (status === 'succeeded') count(sum.durations, durationMs);
  if (ttftMs !== null) count(sum.timesToFirstToken, ttftMs);
}

function count(histogram: Uint32Array, ms: number): void {
  const bound = timeBound(ms);
  histogram[bound] = (histogram[bound] ?? 0) + 1;
}
