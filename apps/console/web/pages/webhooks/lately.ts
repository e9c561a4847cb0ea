import { formatCount, formatDuration } from '../../format/numbers';
import { type Figures } from './webhook';

/** Where the API stops counting. */
const COUNT_MAX = 10_000;

const countWords = (count: number): string =>
  count < COUNT_MAX ? formatCount(count) : `${formatCount(count)} or more`;

/** The last 24 hours of an endpoint in one line. */
export function latelyWords(all: readonly Figures[] | undefined, endpointId: string): string {
  const figures = all?.find(({ endpoint_id: id }) => id === endpointId);
  if (figures === undefined) return '–';
  const { created_count: created, dead_count: dead, waiting_count: waiting, p95_duration_ms: p95 } = figures;
  return [
    created === 0
      ? // One that is older may be sent all the same.
        'No new deliveries'
      : `${countWords(figures.succeeded_count)} of ${countWords(created)} succeeded`,
    ...(dead > 0 ? [`${countWords(dead)} dead`] : []),
    ...(waiting > 0 ? [`${countWords(waiting)} waiting`] : []),
    ...(p95 === null ? [] : [`95 % within ${formatDuration(p95)}`]),
  ].join(', ');
}
