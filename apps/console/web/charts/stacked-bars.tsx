import { max } from 'd3-array';
import { scaleBand } from 'd3-scale';
import { stack } from 'd3-shape';
import { type ReactElement } from 'react';
import { formatCompact } from '../format/numbers';
import { Axes } from './axes';
import { ChartFigure, type ChartTable } from './chart-figure';
import { HEIGHT, MARGIN, plotted, type Value, verticalScale } from './plotted';
import styles from './charts.module.css';

export interface Series<V extends Value> {
  readonly key: string;
  readonly label: string;
  /** One for each label of the chart. */
  readonly values: readonly V[];
  /** The last series, of all the groups that are not shown by themselves. */
  readonly isOther?: boolean;
  /** Drawn in the colour of what went wrong. */
  readonly isBad?: boolean;
}

export interface StackedBarsProps<V extends Value> {
  readonly title: string;
  /** A sentence that says what the chart shows. */
  readonly finding: string;
  /** The label below each bar: `22 Nov (UTC)`. */
  readonly labels: readonly string[];
  /** The first header of the table: `Day`. */
  readonly labelHeader: string;
  /** At most ten, and "Other". */
  readonly series: readonly Series<V>[];
  readonly format: (value: V) => string;
  /** `moneyTick` for amounts. */
  readonly formatTick?: (tick: number) => string;
  /** Adds up values, for the sums of the table. */
  readonly sum: (values: readonly V[]) => V;
  /** The name of the sums in the table: `Total`. */
  readonly sumHeader: string;
}

/** Bars by day, of a part for each group. */
export function StackedBars<V extends Value>(props: StackedBarsProps<V>): ReactElement {
  const { title, finding, series } = props;
  const table = tableOf(props);
  const legend = series.length > 1 && (
    <ul className={styles.legend}>
      {series.map((one, place) => (
        <li key={one.key} data-series={colourOf(one, place)}>
          {one.label}
        </li>
      ))}
    </ul>
  );
  return (
    <ChartFigure {...{ title, finding, table, legend }}>
      {(width) => <Bars {...props} width={width} />}
    </ChartFigure>
  );
}

const colourOf = <V extends Value>({ isOther, isBad }: Series<V>, place: number): string | number =>
  isBad ? 'bad' : isOther ? 'other' : place + 1;

/** The numbers with their sums: of each label, and of each series below. */
function tableOf<V extends Value>(props: StackedBarsProps<V>): ChartTable {
  const { labels, labelHeader, series, format, sum, sumHeader } = props;
  const at = (place: number) => series.flatMap(({ values }) => values[place] ?? []);
  const withSum = (values: readonly V[]) =>
    (series.length > 1 ? [...values, sum(values)] : values).map(format);
  return {
    headers: [labelHeader, ...series.map(({ label }) => label), ...(series.length > 1 ? [sumHeader] : [])],
    rows: labels.map((label, place) => [label, ...withSum(at(place))]),
    footer: [sumHeader, ...withSum(series.map(({ values }) => sum(values)))],
  };
}

function Bars<V extends Value>(props: StackedBarsProps<V> & { readonly width: number }): ReactElement {
  const { labels, series, format, formatTick = formatCompact, width } = props;
  const places = labels.map((_, place) => place);
  const across = scaleBand(places, [MARGIN.left, width - MARGIN.right]).padding(
    labels.length > 60 ? 0.1 : 0.3,
  );
  const layers = stack<number, Series<V>>()
    .keys(series)
    .value((place, { values }) => plotted(values[place] ?? 0))(places);
  const greatest = max(layers.at(-1) ?? [], ([, top]) => top) ?? 0;
  const { scale, ticks } = verticalScale(greatest);
  const left = (place: number) => across(place) ?? 0;
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true" className={styles.svg}>
      <Axes
        {...{ width, scale, ticks, formatTick, labels }}
        middle={(place) => left(place) + across.bandwidth() / 2}
      />
      {layers.map((layer, number) => (
        <g key={layer.key.key} data-series={colourOf(layer.key, number)}>
          {layer.map(([from, to], place) =>
            to > from ? (
              <rect
                key={labels[place]}
                x={left(place)}
                width={across.bandwidth()}
                y={scale(to)}
                height={Math.max(0, scale(from) - scale(to) - (number > 0 ? 1 : 0))}
              />
            ) : null,
          )}
        </g>
      ))}
      {places.map((place) => (
        <rect
          key={labels[place]}
          className={styles.column}
          x={left(place) - (across.step() - across.bandwidth()) / 2}
          width={across.step()}
          y={MARGIN.top}
          height={HEIGHT - MARGIN.bottom - MARGIN.top}
          data-tip={tipOf(labels[place] ?? '', series, place, format)}
        />
      ))}
    </svg>
  );
}

function tipOf<V extends Value>(
  label: string,
  series: readonly Series<V>[],
  place: number,
  format: (value: V) => string,
): string {
  const parts = series
    .filter(({ values }) => plotted(values[place] ?? 0) > 0)
    .map(({ label: name, values }) => `${name} ${shown(values[place], format)}`);
  return [label, ...(parts.length > 0 ? parts : ['nothing'])].join('\n');
}

const shown = <V extends Value>(value: V | undefined, format: (value: V) => string): string =>
  value === undefined ? '–' : format(value);
