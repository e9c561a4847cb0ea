import { type UsageGroup } from './usage-query';

export interface UsageCounts {
  readonly requests: bigint;
  /** Those of `requests` that failed, and not because of what the caller had sent. */
  readonly failed: bigint;
  /** Those of `requests` whose caller left. */
  readonly cancelled: bigint;
  readonly inputTokens: bigint;
  readonly cachedInputTokens: bigint;
  readonly cacheWriteTokens: bigint;
  readonly outputTokens: bigint;
  readonly reasoningTokens: bigint;
  readonly customerNanos: bigint;
}

/** The sums of one group. */
export type UsageRow = UsageGroup & UsageCounts;

/** As PostgreSQL answers it: sums as text. */
export type UsageSumRow = UsageGroup & Readonly<Record<keyof UsageCounts, string>>;

export const toUsageRow = (row: UsageSumRow): UsageRow => ({
  ...row,
  requests: BigInt(row.requests),
  failed: BigInt(row.failed),
  cancelled: BigInt(row.cancelled),
  inputTokens: BigInt(row.inputTokens),
  cachedInputTokens: BigInt(row.cachedInputTokens),
  cacheWriteTokens: BigInt(row.cacheWriteTokens),
  outputTokens: BigInt(row.outputTokens),
  reasoningTokens: BigInt(row.reasoningTokens),
  customerNanos: BigInt(row.customerNanos),
});
