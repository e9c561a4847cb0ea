import { lazily } from './lazily';

/** Whose clock instants are shown by: the viewer's, or UTC. Sums are by UTC day whichever it is. */
export type Zone = 'local' | 'utc';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Units of a relative time, the longest first, with how long one must be off for the unit to be used. */
const units = [
  { unit: 'day', size: DAY, from: DAY },
  { unit: 'hour', size: HOUR, from: HOUR },
  { unit: 'minute', size: MINUTE, from: MINUTE },
  { unit: 'second', size: SECOND, from: 5 * SECOND },
] as const;
/** Further away than this, a relative time says less than the date. */
const RELATIVE_WITHIN = 30 * DAY;

const relative = lazily(() => new Intl.RelativeTimeFormat('en-GB', { style: 'short', numeric: 'always' }));

/** `3 min ago`, `in 2 hr`, `just now`; beyond 30 days the date. */
export function formatRelative(instant: Date, now: Date, zone: Zone): string {
  const away = instant.getTime() - now.getTime();
  const distance = Math.abs(away);
  if (distance >= RELATIVE_WITHIN) return formatDate(instant, zone);
  const fitting = units.find(({ from }) => distance >= from);
  if (fitting === undefined) return 'just now';
  return relative()
    .format(Math.trunc(away / fitting.size), fitting.unit)
    .replace('.', '');
}

/** When something that is due is done: `in 2 hr`, and `now` once its time has come, however late it is. */
export const formatDue = (instant: Date, now: Date, zone: Zone): string =>
  instant.getTime() - now.getTime() < 5 * SECOND ? 'now' : formatRelative(instant, now, zone);

/** How long until {@link formatRelative} says something else, in milliseconds: when a shown time is due again. */
export function relativeChangesIn(instant: Date, now: Date): number {
  const distance = Math.abs(instant.getTime() - now.getTime());
  if (distance < MINUTE) return 5 * SECOND;
  return distance < HOUR ? 30 * SECOND : 5 * MINUTE;
}

const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
const hourAndMinute = { hour: '2-digit', minute: '2-digit' } as const;
const date = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const dayAndMonth = { day: 'numeric', month: 'short' } as const;
const reset = { ...dayAndMonth, ...hourAndMinute } as const;
const zoneAlone = { timeZoneName: 'short' } as const;
const whole = { ...date, ...clock, timeZoneName: 'short' } as const;

const formats = {
  local: new Map<object, Intl.DateTimeFormat>(),
  utc: new Map<object, Intl.DateTimeFormat>(),
};

/** `Intl.DateTimeFormat` is dear to make, and a list has fifty times. @param options one of those above. */
function formatOf(zone: Zone, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const known = formats[zone].get(options);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    ...options,
    hourCycle: 'h23',
    ...(zone === 'utc' ? { timeZone: 'UTC' } : {}),
  });
  formats[zone].set(options, made);
  return made;
}

/** `22 Nov 2026`. */
const formatDate = (instant: Date, zone: Zone): string => formatOf(zone, date).format(instant);

/** `14:05:09`. */
export const formatClock = (instant: Date, zone: Zone): string => formatOf(zone, clock).format(instant);

/** `22 Nov 2026, 14:05:09 UTC`: the absolute time with its zone. */
export const formatInstant = (instant: Date, zone: Zone): string => formatOf(zone, whole).format(instant);

/** An instant by the viewer's clock and by UTC, as tooltips show it; once, where both are the same. */
export function formatBothZones(instant: Date, zone: Zone): string {
  const own = formatInstant(instant, zone);
  const other = formatInstant(instant, zone === 'utc' ? 'local' : 'utc');
  return own === other ? own : `${own} · ${other}`;
}

/** The name of a zone at an instant: `UTC`, `CET`. */
export function zoneName(instant: Date, zone: Zone): string {
  if (zone === 'utc') return 'UTC';
  const parts = formatOf('local', zoneAlone).formatToParts(instant);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** A day of sums, `2026-11-22`, as `22 Nov (UTC)`. */
export const formatUtcDay = (day: string): string =>
  `${formatOf('utc', dayAndMonth).format(new Date(`${day}T00:00:00Z`))} (UTC)`;

/** `1 Dec 00:00 UTC (in 8 days; 01:00 your time)`: when a budget or a limit starts again. */
export function formatReset(instant: Date, now: Date): string {
  const at = formatOf('utc', reset);
  const own = formatOf('local', hourAndMinute).format(instant);
  const utc = formatOf('utc', hourAndMinute).format(instant);
  const day = at.format(instant).replace(',', '');
  const away = longRelative(instant, now);
  return own === utc ? `${day} UTC (${away})` : `${day} UTC (${away}; ${own} your time)`;
}

const long = lazily(() => new Intl.RelativeTimeFormat('en-GB', { style: 'long', numeric: 'always' }));

function longRelative(instant: Date, now: Date): string {
  const away = instant.getTime() - now.getTime();
  const fitting = units.find(({ from }) => Math.abs(away) >= from) ?? { unit: 'second', size: SECOND };
  return long().format(Math.ceil(away / fitting.size), fitting.unit);
}

/** The value of `input type=datetime-local` for an instant: `2026-11-22T14:05`. */
export function toInputTime(instant: Date, zone: Zone): string {
  const shifted =
    zone === 'utc' ? instant : new Date(instant.getTime() - instant.getTimezoneOffset() * MINUTE);
  return shifted.toISOString().slice(0, 16);
}

/** The instant of an `input type=datetime-local`, as the API takes it, with `Z`; null if it holds none. */
export function fromInputTime(text: string, zone: Zone): string | null {
  const instant = new Date(zone === 'utc' ? `${text}Z` : text);
  return Number.isNaN(instant.getTime()) ? null : instant.toISOString();
}
