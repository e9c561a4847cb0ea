import { extent } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { type ReactElement } from 'react';
import { plotted, type Value } from './plotted';
import styles from './charts.module.css';

const WIDTH = 96;
const HEIGHT = 24;
const EDGE = 2;

/** The shape of a series beside its number, which says what matters: hidden from screen readers. */
export function Sparkline({ values }: { readonly values: readonly Value[] }): ReactElement | null {
  const points = values.map(plotted);
  const [least, greatest] = extent(points);
  if (least === undefined || points.length < 2) return null;
  const across = scaleLinear([0, points.length - 1], [EDGE, WIDTH - EDGE]);
  const up = scaleLinear([Math.min(0, least), greatest || 1], [HEIGHT - EDGE, EDGE]);
  const path = line<number>()
    .x((_, place) => across(place))
    .y((value) => up(value))(points);
  return (
    <svg width={WIDTH} height={HEIGHT} aria-hidden="true" data-series="1" className={styles.spark}>
      <path className={styles.line} d={path ?? ''} />
    </svg>
  );
}
