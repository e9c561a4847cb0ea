import { type ScaleLinear } from 'd3-scale';
import { type ReactElement } from 'react';
import { HEIGHT, labelledPlaces, MARGIN } from './plotted';
import styles from './charts.module.css';

interface AxesProps {
  readonly width: number;
  readonly scale: ScaleLinear<number, number>;
  readonly ticks: readonly number[];
  readonly formatTick: (tick: number) => string;
  /** The labels of the horizontal axis, and where their middles are. */
  readonly labels: readonly string[];
  readonly middle: (place: number) => number;
}

export function Axes({ width, scale, ticks, formatTick, labels, middle }: AxesProps): ReactElement {
  const isLabelled = labelledPlaces(labels.length, width);
  const last = width - MARGIN.right;
  return (
    <g className={styles.axes}>
      {ticks.map((tick) => (
        <g key={tick} transform={`translate(0,${String(scale(tick))})`}>
          <line x1={MARGIN.left} x2={last} />
          <text x={MARGIN.left - 8} dy="0.32em" textAnchor="end">
            {formatTick(tick)}
          </text>
        </g>
      ))}
      {labels.map((label, place) =>
        isLabelled(place) ? (
          <text
            key={label}
            x={Math.min(middle(place), last)}
            y={HEIGHT - 6}
            textAnchor={place === labels.length - 1 && labels.length > 1 ? 'end' : 'middle'}
          >
            {label}
          </text>
        ) : null,
      )}
    </g>
  );
}
