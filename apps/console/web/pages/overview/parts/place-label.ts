import { formatClock, formatUtcDay } from '../../../format/time';

const MINUTES_END = 5;

/** The label of a place of a chart: `22 Nov (UTC)`, `14:00 (UTC)`. */
export const placeLabel = (place: string, unit: 'hour' | 'day'): string =>
  unit === 'day' ? formatUtcDay(place) : `${formatClock(new Date(place), 'utc').slice(0, MINUTES_END)} (UTC)`;
