import { type components } from '../../api/generated/management';
import { type Metric } from './metrics';

type UsageRow = components['schemas']['UsageRow'];

/** The watch of a rule, as far as usage can show it. */
export interface Previewed {
  readonly metric: Metric;
  readonly threshold: number;
  /** Whether it sums UTC days. */
  readonly isByDay: boolean;
  readonly windowMinutes: number;
  readonly minRequests: number;
}

/** How the hours or days that reached the threshold bound how often the rule would have fired. */
export type Bound = 'exactly' | 'at most' | 'at least' | 'about';

interface Preview {
  readonly unit: 'hour' | 'day';
  /** How many hours or days reached the threshold. */
  readonly reached: number;
  readonly bound: Bound;
  /** The highest of them, and its hour or day; null where nothing was measured. */
  readonly highest: { readonly value: number | bigint; readonly at: string } | null;
}

const HOUR_MINUTES = 60;
const BPS = 10_000;
const sums: readonly Metric[] = ['spend_nanos', 'request_count'];

/** Sums of an hour are more than those of a shorter window, and less than those of a longer one. */
export function boundOf({ metric, isByDay, windowMinutes }: Previewed): Bound {
  if (isByDay) return 'exactly';
  if (!sums.includes(metric)) return 'about';
  if (windowMinutes === HOUR_MINUTES) return 'about';
  return windowMinutes < HOUR_MINUTES ? 'at most' : 'at least';
}

/** The value of the metric in a row; null for no data (docs/reference/alerts.md#metrics). */
function observedOf(row: UsageRow, { metric, minRequests }: Previewed): number | bigint | null {
  const isEnough = row.requests >= minRequests && row.requests > 0;
  switch (metric) {
    case 'spend_nanos':
      return row.customer_nanos + row.provider_nanos;
    case 'request_count':
      return row.requests;
    case 'error_rate_bps':
      return isEnough ? Math.floor((row.failed * BPS) / row.requests) : null;
    case 'latency_p95_ms':
      return isEnough ? (row.duration_ms?.p95 ?? null) : null;
    case 'ttft_p95_ms':
      return isEnough ? (row.ttft_ms?.p95 ?? null) : null;
    default:
      return null;
  }
}

export function previewOf(rows: readonly UsageRow[], rule: Previewed): Preview {
  const unit = rule.isByDay ? 'day' : 'hour';
  const observed = rows.flatMap((row) => {
    const value = observedOf(row, rule);
    const at = row[unit];
    return value === null || at === undefined ? [] : [{ value, at }];
  });
  const highest = observed.reduce<Preview['highest']>(
    (before, one) => (before === null || one.value > before.value ? one : before),
    null,
  );
  const reached = observed.filter(({ value }) => value >= rule.threshold).length;
  return { unit, reached, bound: boundOf(rule), highest };
}
