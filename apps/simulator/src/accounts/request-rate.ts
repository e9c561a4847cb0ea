const MINUTE_MS = 60_000;

interface Taken {
  readonly isWithin: boolean;
  /** In the forms of both protocols. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Requests per minute of each account, over the last minute. */
export class RequestRates {
  /** When the calls of the last minute came, the oldest first. */
  private readonly calls = new Map<string, number[]>();

  take(account: string, limit: number, nowMs: number): Taken {
    const calls = (this.calls.get(account) ?? []).filter((atMs) => nowMs - atMs < MINUTE_MS);
    this.calls.set(account, calls);
    const isWithin = calls.length < limit;
    if (isWithin) calls.push(nowMs);
    const [oldest = nowMs] = calls;
    const waitMs = oldest + MINUTE_MS - nowMs;
    const headers = headersOf(limit, limit - calls.length, nowMs + waitMs, waitMs);
    return { isWithin, headers: isWithin ? headers : { ...headers, 'retry-after': seconds(waitMs) } };
  }
}

const seconds = (ms: number): string => String(Math.ceil(ms / 1_000));

const headersOf = (limit: number, remaining: number, resetAtMs: number, waitMs: number) => ({
  'x-ratelimit-limit-requests': String(limit),
  'x-ratelimit-remaining-requests': String(remaining),
  'x-ratelimit-reset-requests': `${seconds(waitMs)}s`,
  'anthropic-ratelimit-requests-limit': String(limit),
  'anthropic-ratelimit-requests-remaining': String(remaining),
  'anthropic-ratelimit-requests-reset': new Date(resetAtMs).toISOString(),
});
