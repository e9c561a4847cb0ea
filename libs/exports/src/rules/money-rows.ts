import { jsonInteger, nanosToJson, type JsonInteger, type Nanos } from '@svc/kernel';

/** The sums behind a row of usage. */
interface ShownCounts {
  readonly requests: bigint;
  readonly failed: bigint;
  readonly cancelled: bigint;
  readonly inputTokens: bigint;
  readonly cachedInputTokens: bigint;
  readonly cacheWriteTokens: bigint;
  readonly outputTokens: bigint;
  readonly reasoningTokens: bigint;
  readonly customerNanos: bigint;
  readonly providerNanos: bigint;
}

export const countsRow = (counts: ShownCounts) => ({
  requests: Number(counts.requests),
  failed: Number(counts.failed),
  cancelled: Number(counts.cancelled),
  input_tokens: Number(counts.inputTokens),
  cached_input_tokens: Number(counts.cachedInputTokens),
  cache_write_tokens: Number(counts.cacheWriteTokens),
  output_tokens: Number(counts.outputTokens),
  reasoning_tokens: Number(counts.reasoningTokens),
  customer_nanos: jsonInteger(counts.customerNanos) satisfies JsonInteger,
  provider_nanos: jsonInteger(counts.providerNanos) satisfies JsonInteger,
});

/** The fields behind a row of usage: an empty text stands for none. */
interface ShownUsage extends ShownCounts {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly projectId: string;
  readonly apiKeyId: string;
  readonly model: string;
  readonly provider: string;
  readonly tag: string;
}

/** Usage of a day by all that it is counted by, as the API shows it. */
export const usageRow = ({ day, projectId, apiKeyId, model, provider, tag, ...counts }: ShownUsage) => ({
  day,
  project_id: projectId === '' ? null : projectId,
  api_key_id: apiKeyId === '' ? null : apiKeyId,
  model,
  provider: provider === '' ? null : provider,
  tag: tag === '' ? null : tag,
  ...countsRow(counts),
});

/** The fields behind a row of a wallet transaction. */
interface ShownTransaction {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: string;
  readonly amount: Nanos;
  readonly requestId: string | null;
  readonly creditGrantId: string | null;
  readonly paymentId: string | null;
  readonly fineTuningJobId: string | null;
  readonly fineTuningEndpointId: string | null;
  readonly createdAt: Date;
}

export const transactionRow = (transaction: ShownTransaction) => ({
  id: transaction.id,
  organization_id: transaction.organizationId,
  kind: transaction.kind,
  amount_nanos: nanosToJson(transaction.amount),
  request_id: transaction.requestId,
  credit_grant_id: transaction.creditGrantId,
  payment_id: transaction.paymentId,
  fine_tuning_job_id: transaction.fineTuningJobId,
  fine_tuning_endpoint_id: transaction.fineTuningEndpointId,
  created_at: transaction.createdAt.toISOString(),
});
