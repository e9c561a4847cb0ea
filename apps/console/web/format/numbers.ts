import { lazily } from './lazily';

const whole = lazily(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }));
const compact = lazily(
  () => new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }),
);
const cardinal = lazily(() => new Intl.PluralRules('en-US'));
const conjunction = lazily(() => new Intl.ListFormat('en-US', { type: 'conjunction' }));
const disjunction = lazily(() => new Intl.ListFormat('en-US', { type: 'disjunction' }));

/** `1,234,567`. */
export const formatCount = (count: number | bigint): string => whole().format(count);

/** `1.2M`, for axes. */
export const formatCompact = (count: number): string => compact().format(count);

/** A share of one as percent: `0.825` is `82.5 %`. At most one decimal. */
export const formatPercent = (share: number): string => `${whole1().format(share * 100)} %`;
const whole1 = lazily(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 }));

/** `1 key`, `2 keys`; the other form is the word and an `s` unless it is given. */
export const formatPlural = (count: number, one: string, other = `${one}s`): string =>
  `${formatCount(count)} ${cardinal().select(count) === 'one' ? one : other}`;

/** `a, b, and c`. */
export const formatList = (words: Iterable<string>): string => conjunction().format(words);
/** `a, b, or c`. */
export const formatChoice = (words: Iterable<string>): string => disjunction().format(words);

/** A duration in milliseconds: `240 ms`, `1.8 s`, `2 min 05 s`, from an hour on `3 h 05 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${whole().format(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${whole1().format(milliseconds / 1000)} s`;
  const seconds = Math.round(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${String(minutes)} min ${twoDigits(seconds % 60)} s`;
  return `${whole().format(Math.floor(minutes / 60))} h ${twoDigits(minutes % 60)} min`;
}
const twoDigits = (count: number): string => String(count).padStart(2, '0');
