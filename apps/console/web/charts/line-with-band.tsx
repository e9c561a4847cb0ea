import { max } from 'd3-array';
import { scalePoint } from 'd3-scale';
import { area, line } from 'd3-shape';
import { type ReactElement } from 'react';
import { Axes } from './axes';
import { ChartFigure } from './chart-figure';
import { HEIGHT, MARGIN, verticalScale } from './plotted';
import styles from './charts.module.css';

export interface LineWithBandProps {
  readonly title: string;
  /** A sentence that says what the chart shows. */
  readonly finding: string;
  readonly labels: readonly string[];
  readonly labelHeader: string;
  /** The line, and its name: `p50`. Null where nothing was measured, which leaves a gap. */
  readonly line: { readonly label: string; readonly values: readonly (number | null)[] };
  /** The upper edge of the band above the line: `p95`. */
  readonly band: { readonly label: string; readonly values: readonly (number | null)[] };
  readonly format: (value: number) => string;
}

/** A line over time with a band above it: the median and how far the slow ones are from it. */
export function LineWithBand(props: LineWithBandProps): ReactElement {
  const { title, finding, labels, labelHeader, line: middle, band, format } = props;
  const cell = (value: number | null | undefined) => (typeof value === 'number' ? format(value) : '–');
  const table = {
    headers: [labelHeader, middle.label, band.label],
    rows: labels.map((label, place) => [label, cell(middle.values[place]), cell(band.values[place])]),
  };
  const legend = (
    <ul className={styles.legend}>
      <li data-series="1">{middle.label}</li>
      <li data-series="1" data-band="">
        {band.label}
      </li>
    </ul>
  );
  return (
    <ChartFigure {...{ title, finding, table, legend }}>
      {(width) => <Drawing {...props} width={width} />}
    </ChartFigure>
  );
}

interface Point {
  readonly place: number;
  readonly middle: number | null;
  readonly top: number | null;
}

/** Without a neighbour, a point has neither line nor band. */
const isAlone = ({ middle, place }: Point, _: number, points: readonly Point[]): boolean =>
  middle !== null &&
  (points[place - 1]?.middle ?? null) === null &&
  (points[place + 1]?.middle ?? null) === null;

function Drawing(props: LineWithBandProps & { readonly width: number }): ReactElement {
  const { labels, line: median, band, format, width } = props;
  const points = labels.map((_, place): Point => ({
    place,
    middle: median.values[place] ?? null,
    top: band.values[place] ?? null,
  }));
  const places = points.map(({ place }) => place);
  const across = scalePoint(places, [MARGIN.left, width - MARGIN.right]).padding(0.5);
  const x = (place: number) => across(place) ?? 0;
  const { scale, ticks } = verticalScale(
    max(points, ({ middle, top }) => Math.max(middle ?? 0, top ?? 0)) ?? 0,
  );
  const bandPath = area<Point>()
    .defined(({ middle, top }) => middle !== null && top !== null)
    .x(({ place }) => x(place))
    .y0(({ middle }) => scale(middle ?? 0))
    .y1(({ top }) => scale(top ?? 0))(points);
  const linePath = line<Point>()
    .defined(({ middle }) => middle !== null)
    .x(({ place }) => x(place))
    .y(({ middle }) => scale(middle ?? 0))(points);
  const measured = points.filter((point): point is Point & { middle: number } => point.middle !== null);
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true" className={styles.svg}>
      <Axes {...{ width, scale, ticks, labels }} formatTick={format} middle={x} />
      <g data-series="1">
        <path className={styles.band} d={bandPath ?? ''} />
        <path className={styles.line} d={linePath ?? ''} />
        {points.filter(isAlone).map(({ place, middle, top }) => (
          <path
            key={place}
            className={styles.whisker}
            d={`M${String(x(place))} ${String(scale(middle ?? 0))}V${String(scale(top ?? middle ?? 0))}`}
          />
        ))}
        {measured.length <= 60 &&
          measured.map(({ place, middle }) => (
            <circle key={place} cx={x(place)} cy={scale(middle)} r="2.5" />
          ))}
      </g>
      {points.map(({ place, middle, top }) => (
        <rect
          key={place}
          className={styles.column}
          x={x(place) - across.step() / 2}
          width={Math.max(1, across.step())}
          y={MARGIN.top}
          height={HEIGHT - MARGIN.bottom - MARGIN.top}
          data-tip={
            middle === null
              ? `${labels[place] ?? ''}\nnothing measured`
              : `${labels[place] ?? ''}\n${median.label} ${format(middle)}${top === null ? '' : `\n${band.label} ${format(top)}`}`
          }
        />
      ))}
    </svg>
  );
}
