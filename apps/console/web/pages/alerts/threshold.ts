import { formatMoney, parseMoney, plainDollars } from '../../format/money';
import { formatCount, formatDuration } from '../../format/numbers';
import { type Metric, metricFacts } from './metrics';

const BPS_OF_PERCENT = 100n;

/** A value of a metric in its unit: `$12.50`, `5 %`, `1.2 s`. */
export function formatObserved(metric: Metric, value: number | bigint): string {
  switch (metricFacts[metric].unit) {
    case 'nanos':
      return formatMoney(BigInt(value));
    case 'bps':
      return `${percentText(value)} %`;
    case 'ms':
      return formatDuration(Number(value));
    case 'hours':
      return `${formatCount(value)} h`;
    case 'seconds':
      return `${formatCount(value)} s`;
    case 'count':
      return formatCount(value);
  }
}

/** Basis points as per cent, by their digits. */
function percentText(bps: number | bigint): string {
  const whole = BigInt(bps) / BPS_OF_PERCENT;
  const rest = String(BigInt(bps) % BPS_OF_PERCENT)
    .padStart(2, '0')
    .replace(/0+$/, '');
  return rest === '' ? String(whole) : `${String(whole)}.${rest}`;
}

/** A threshold as it is typed. */
export const typedThreshold = (metric: Metric, value: number): string => {
  const { unit } = metricFacts[metric];
  if (unit === 'nanos') return plainDollars(BigInt(value));
  return unit === 'bps' ? percentText(value) : String(value);
};

/** The whole number that the API takes, or null for what is none: read by its digits, never by way of a float. */
export function parseThreshold(metric: Metric, typed: string): number | null {
  const text = typed.trim();
  const { unit } = metricFacts[metric];
  if (unit === 'nanos') {
    const parsed = parseMoney(text);
    return 'amount' in parsed ? safe(parsed.amount) : null;
  }
  if (unit !== 'bps') return /^\d{1,16}$/.test(text) ? safe(BigInt(text)) : null;
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return whole === undefined ? null : safe(BigInt(whole + fraction.padEnd(2, '0')));
}

const safe = (value: bigint): number | null =>
  value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : null;
