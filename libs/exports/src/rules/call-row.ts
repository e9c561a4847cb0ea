import { explainCost, WHOLE_BPS } from '@svc/catalog';
import { minNanos, nanos, nanosToJson, subtractNanos, ZERO_NANOS, type Nanos } from '@svc/kernel';

type Rates = Parameters<typeof explainCost>[1];
type TokenCounts = Parameters<typeof explainCost>[0];

interface ShownAttempt {
  readonly provider: string;
  readonly region: string;
  readonly status: number | null;
  readonly duration_ms: number;
  readonly error?: string;
  readonly upstream_request_id?: string | null;
  readonly started_ms?: number;
  readonly first_byte_ms?: number | null;
  readonly endpoint_id?: string;
  readonly credential?: 'own' | 'platform' | 'none';
  readonly credential_id?: string | null;
  readonly placed_by?: 'affinity' | 'rollout' | null;
}

interface ShownWarning {
  readonly param: string;
  readonly code: string;
  readonly message: string;
}

/** The fields behind a row of a call. */
export interface ShownCall {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly apiKeyId: string;
  readonly route: string;
  readonly model: string;
  readonly provider: string | null;
  readonly status: string;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly stream: boolean;
  readonly sessionId: string | null;
  readonly policyVersion: number | null;
  readonly projectPolicyVersion: number | null;
  readonly keyPolicyVersion: number | null;
  readonly attempts: readonly ShownAttempt[];
  readonly usage: TokenCounts & { readonly reasoningTokens: number };
  readonly held: Nanos;
  readonly customerNanos: Nanos;
  readonly providerNanos: Nanos;
  readonly transactionId: string | null;
  readonly costState: 'final' | 'provisional' | null;
  readonly explanation: {
    readonly rates?: Rates;
    readonly price_bps?: number;
    readonly warnings?: readonly ShownWarning[];
    readonly error?: {
      readonly type: string;
      readonly message: string | null;
      readonly param?: string;
      readonly retriable: boolean;
    };
  } | null;
  readonly labels: {
    readonly user?: string | null;
    readonly metadata?: Readonly<Record<string, string>>;
  } | null;
  readonly endUser: string | null;
  readonly endUserId: string | null;
  readonly ttftMs: number | null;
  readonly durationMs: number | null;
  readonly traceId: string | null;
  readonly createdAt: Date;
}

/** An inference call as the API shows it, but for the message of its error. */
export const callRow = (call: ShownCall) => ({
  id: call.id,
  organization_id: call.organizationId,
  project_id: call.projectId,
  api_key_id: call.apiKeyId,
  route: call.route,
  model: call.model,
  provider: call.provider,
  status: call.status,
  http_status: call.httpStatus,
  error_code: call.errorCode,
  error: errorOf(call),
  warnings: call.explanation === null ? null : [...(call.explanation.warnings ?? [])],
  stream: call.stream,
  session_id: call.sessionId,
  policy_version: call.policyVersion,
  policy_versions: policyVersionsOf(call),
  attempts: call.attempts.map(attemptOf),
  usage: {
    input_tokens: call.usage.inputTokens,
    cached_input_tokens: call.usage.cachedInputTokens,
    cache_write_tokens: call.usage.cacheWriteTokens,
    output_tokens: call.usage.outputTokens,
    reasoning_tokens: call.usage.reasoningTokens,
  },
  cost: costOf(call),
  user: call.labels?.user ?? null,
  metadata: call.labels?.metadata ?? {},
  end_user: call.endUser,
  end_user_id: call.endUserId,
  ttft_ms: call.ttftMs,
  duration_ms: call.durationMs,
  trace_id: call.traceId,
  created_at: call.createdAt.toISOString(),
});

/** Null where the record has none; 0 at a level that had no policy; null for the project of a call without one. */
const policyVersionsOf = ({ projectId, policyVersion, projectPolicyVersion, keyPolicyVersion }: ShownCall) =>
  policyVersion === null
    ? null
    : {
        organization: policyVersion,
        project: projectId === null ? null : (projectPolicyVersion ?? 0),
        key: keyPolicyVersion ?? 0,
      };

const attemptOf = (attempt: ShownAttempt) => ({
  provider: attempt.provider,
  region: attempt.region,
  status: attempt.status,
  started_ms: attempt.started_ms ?? null,
  first_byte_ms: attempt.first_byte_ms ?? null,
  duration_ms: attempt.duration_ms,
  endpoint_id: attempt.endpoint_id ?? null,
  credential: attempt.credential ?? null,
  credential_id: attempt.credential_id ?? null,
  placed_by: attempt.placed_by ?? null,
  ...(attempt.error === undefined ? {} : { error: attempt.error }),
  upstream_request_id: attempt.upstream_request_id ?? null,
});

function errorOf({ id, errorCode, explanation }: ShownCall) {
  const error = explanation?.error;
  if (error === undefined || errorCode === null) return null;
  const { type, param, retriable } = error;
  return { type, code: errorCode, ...(param !== undefined && { param }), request_id: id, retriable };
}

/** The lines are computed from the token counts and the rates of the record, by the rule that charged it. */
function costOf({
  explanation,
  usage,
  customerNanos,
  providerNanos,
  held,
  transactionId,
  costState,
}: ShownCall) {
  const charged = {
    customer_nanos: nanosToJson(customerNanos),
    provider_nanos: nanosToJson(providerNanos),
    state: costState ?? ('provisional' as const),
    held_nanos: nanosToJson(held),
    transaction_id: transactionId,
  };
  if (explanation === null) {
    return { ...charged, price_bps: null, lines: null, rounding: null, beyond_hold_nanos: null };
  }
  const { rates, price_bps = WHOLE_BPS } = explanation;
  if (rates === undefined) {
    return { ...charged, price_bps: null, lines: [], rounding: '0', beyond_hold_nanos: 0 };
  }
  const { lines, rounding, total } = explainCost(usage, rates, price_bps);
  const beyond = total > customerNanos ? subtractNanos(total, customerNanos) : ZERO_NANOS;
  const beyond_hold_nanos = nanosToJson(minNanos(beyond, JSON_MAX));
  return { ...charged, price_bps, lines: [...lines], rounding, beyond_hold_nanos };
}

/** A provider can report any number of tokens; its losses are cut like those of the ledger. */
const JSON_MAX = nanos(Number.MAX_SAFE_INTEGER);
