import { type ExportKind } from './export-kinds';

const counts = [
  'requests',
  'failed',
  'cancelled',
  'input_tokens',
  'cached_input_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
  'customer_nanos',
  'provider_nanos',
];

/**
 * The columns of each kind, in the order of the file: fields of the API, with dots between nested ones. None has a prompt, an output, a
 * secret or a payload: the message of an error and the excerpt of a receiver's answer may quote them.
 */
export const columnsOf: Readonly<Record<ExportKind, readonly string[]>> = {
  requests: [
    'id',
    'organization_id',
    'project_id',
    'api_key_id',
    'route',
    'model',
    'provider',
    'status',
    'http_status',
    'error_code',
    'error.type',
    'error.code',
    'error.param',
    'error.request_id',
    'error.retriable',
    'warnings',
    'stream',
    'session_id',
    'policy_version',
    'policy_versions.organization',
    'policy_versions.project',
    'policy_versions.key',
    'attempts',
    'usage.input_tokens',
    'usage.cached_input_tokens',
    'usage.cache_write_tokens',
    'usage.output_tokens',
    'usage.reasoning_tokens',
    'cost.customer_nanos',
    'cost.provider_nanos',
    'cost.state',
    'cost.price_bps',
    'cost.lines',
    'cost.rounding',
    'cost.beyond_hold_nanos',
    'cost.held_nanos',
    'cost.transaction_id',
    'user',
    'metadata',
    'end_user',
    'end_user_id',
    'ttft_ms',
    'duration_ms',
    'trace_id',
    'created_at',
  ],
  usage: ['day', 'project_id', 'api_key_id', 'model', 'provider', 'tag', ...counts],
  wallet_transactions: [
    'id',
    'organization_id',
    'kind',
    'amount_nanos',
    'request_id',
    'credit_grant_id',
    'payment_id',
    'fine_tuning_job_id',
    'fine_tuning_endpoint_id',
    'created_at',
  ],
  audit_log: [
    'id',
    'organization_id',
    'actor.type',
    'actor.id',
    'actor.label',
    'action',
    'target.type',
    'target.id',
    'target.label',
    'changes',
    'request_id',
    'approval_request_id',
    'created_at',
  ],
  webhook_deliveries: [
    'id',
    'organization_id',
    'endpoint_id',
    'event_id',
    'event_type',
    'status',
    'round',
    'attempt_count',
    'next_attempt_at',
    'attempts_log',
    'created_at',
    'updated_at',
  ],
};

/**
 * The columns that a list names. The name of a field with nested ones means all of these.
 * @returns undefined at the place of a name that the kind does not have.
 */
export const namedColumns = (
  kind: ExportKind,
  names: readonly string[],
): readonly (readonly string[] | undefined)[] =>
  names.map((name) => {
    const found = columnsOf[kind].filter((column) => column === name || column.startsWith(`${name}.`));
    return found.length === 0 ? undefined : found;
  });
