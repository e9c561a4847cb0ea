import { max } from 'd3-array';
import { scalePoint } from 'd3-scale';
import { line } from 'd3-shape';
import { type ReactElement } from 'react';
import { Axes } from './axes';
import { ChartFigure } from './chart-figure';
import { HEIGHT, MARGIN, verticalScale } from './plotted';
import styles from './charts.module.css';

export interface NamedLine {
  readonly label: string;
  /** One for each label of the chart. Null where nothing was measured: the line goes on to the next that was. */
  readonly values: readonly (number | null)[];
}

interface LinesProps {
  readonly title: string;
  /** A sentence that says what the chart shows. */
  readonly finding: string;
  readonly labels: readonly string[];
  readonly labelHeader: string;
  readonly lines: readonly NamedLine[];
  readonly format: (value: number) => string;
}

/** More dots than these would be a line themselves. */
const DOTS_MAX = 60;

/** Some lines over the same places. */
export function Lines(props: LinesProps): ReactElement {
  const { title, finding, labels, labelHeader, lines, format } = props;
  const cell = (value: number | null | undefined) => (typeof value === 'number' ? format(value) : '–');
  const table = {
    headers: [labelHeader, ...lines.map(({ label }) => label)],
    rows: labels.map((label, place) => [label, ...lines.map(({ values }) => cell(values[place]))]),
  };
  const legend = lines.length > 1 && (
    <ul className={styles.legend}>
      {lines.map(({ label }, number) => (
        <li key={label} data-series={number + 1}>
          {label}
        </li>
      ))}
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
  readonly value: number;
}

const measured = ({ values }: NamedLine): readonly Point[] =>
  values.flatMap((value, place) => (value === null ? [] : [{ place, value }]));

function Drawing(props: LinesProps & { readonly width: number }): ReactElement {
  const { labels, lines, format, width } = props;
  const across = scalePoint([...labels.keys()], [MARGIN.left, width - MARGIN.right]).padding(0.5);
  const x = (place: number) => across(place) ?? 0;
  const greatest = max(lines, ({ values }) => max(values, (value) => value ?? 0));
  const { scale, ticks } = verticalScale(greatest ?? 0);
  const path = line<Point>()
    .x(({ place }) => x(place))
    .y(({ value }) => scale(value));
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true" className={styles.svg}>
      <Axes {...{ width, scale, ticks, labels }} formatTick={format} middle={x} />
      {lines.map((one, number) => {
        const points = measured(one);
        return (
          <g key={one.label} data-series={number + 1}>
            <path className={styles.line} d={path(points) ?? ''} />
            {points.length <= DOTS_MAX &&
              points.map(({ place, value }) => (
                <circle key={place} cx={x(place)} cy={scale(value)} r="2.5" />
              ))}
          </g>
        );
      })}
      {labels.map((label, place) => (
        <rect
          key={label}
          className={styles.column}
          x={x(place) - across.step() / 2}
          width={Math.max(1, across.step())}
          y={MARGIN.top}
          height={HEIGHT - MARGIN.bottom - MARGIN.top}
          data-tip={tipOf(label, lines, place, format)}
        />
      ))}
    </svg>
  );
}

function tipOf(
  label: string,
  lines: readonly NamedLine[],
  place: number,
  format: (value: number) => string,
): string {
  const parts = lines.flatMap(({ label: name, values }) => {
    const value = values[place] ?? null;
    return value === null ? [] : [`${name} ${format(value)}`];
  });
  return [label, ...parts].join('\n');
}
