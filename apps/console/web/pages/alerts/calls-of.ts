import { type Alert } from './alert';
import { hasWindow } from './metrics';

type Search = Readonly<Record<string, string | undefined>>;
type AlertedCalls = Pick<Alert, 'rule' | 'window_started_at' | 'resolved_at'>;

/** The filters of the list of requests that show what an alert counted; null for one that counts no calls. */
export function callsOf({ rule, window_started_at: after, resolved_at: end }: AlertedCalls): Search | null {
  const { metric, threshold, filter } = rule;
  if (!hasWindow(metric)) return null;
  return {
    after,
    before: end ?? undefined,
    project: filter.project_id ?? undefined,
    key: filter.api_key_id ?? undefined,
    model: filter.model ?? undefined,
    provider: filter.provider ?? undefined,
    ...(metric === 'error_rate_bps' && { status: 'failed' }),
    ...(metric === 'latency_p95_ms' && { duration: String(threshold) }),
    ...(metric === 'ttft_p95_ms' && { first_token: String(threshold) }),
  };
}
