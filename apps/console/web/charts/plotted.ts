import { scaleLinear, type ScaleLinear } from 'd3-scale';

/** A count, or an amount in nanos. */
export type Value = number | bigint;

/** A position to draw at. Its rounding is far below a pixel, and it is never shown as a number. */
export const plotted = (value: Value): number => Number(value);

export const HEIGHT = 200;
export const MARGIN = { top: 8, right: 4, bottom: 24, left: 72 } as const;
const TICKS = 4;

/** The vertical scale from zero to the greatest value, with ticks at round numbers. */
export function verticalScale(greatest: number): { scale: ScaleLinear<number, number>; ticks: number[] } {
  const scale = scaleLinear([0, greatest > 0 ? greatest : 1], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(
    TICKS,
  );
  return { scale, ticks: scale.ticks(TICKS) };
}

/** Which places of the horizontal axis have room for their label: evenly spaced, from the last backwards, which ends at its place. */
export function labelledPlaces(count: number, width: number, labelWidth = 136): (place: number) => boolean {
  const every = Math.max(
    1,
    Math.ceil((count * labelWidth) / Math.max(1, width - MARGIN.left - MARGIN.right)),
  );
  return (place) => (count - 1 - place) % every === 0;
}
