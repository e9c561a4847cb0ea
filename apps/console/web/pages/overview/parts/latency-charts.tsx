import { type ReactElement } from 'react';
import { LineWithBand } from '../../../charts/on-demand-charts';
import { formatDuration } from '../../../format/numbers';
import { Section } from '../../../frame/page';
import { Note } from '../../../ui/states/notes';
import { Result } from '../../../ui/states/result';
import { type UsageRow, type UsageTotal } from '../groups';
import styles from '../overview.module.css';
import { type PeriodRange } from '../period';
import { placeLabel } from './place-label';
import { text } from './text';
import { type UsageView } from '../usage-reads';
import { useCallsOverTime } from '../use-usage';

/** How long calls took to begin and to end, over time. */
export function LatencyCharts({ view }: { readonly view: UsageView }): ReactElement {
  const usage = useCallsOverTime(view);
  if (!view.range.isShort)
    return <Note>{view.endUser === undefined ? text.latency.long : text.latency.ofEndUser}</Note>;
  return (
    <div className={styles.halves}>
      {(['ttft_ms', 'duration_ms'] as const).map((of) => (
        <Section key={of} title={titlesOf(of)[view.range.unit]}>
          <Result of={usage} lines={8}>
            {({ data, total }) => <Latency {...{ of, total }} rows={data} range={view.range} />}
          </Result>
        </Section>
      ))}
    </div>
  );
}

const titlesOf = (of: 'ttft_ms' | 'duration_ms') =>
  of === 'ttft_ms' ? text.latency.firstToken : text.latency.duration;

interface LatencyProps {
  readonly of: 'ttft_ms' | 'duration_ms';
  readonly rows: readonly UsageRow[];
  readonly total: UsageTotal;
  readonly range: PeriodRange;
}

function Latency({ of, rows, total, range: { unit, places } }: LatencyProps): ReactElement {
  const times = total[of];
  if (!times) return <p className="muted">{text.notTimed}</p>;
  const byPlace = new Map(rows.map((row) => [row[unit], row[of]]));
  const at = (percentile: 'p50' | 'p95') => places.map((place) => byPlace.get(place)?.[percentile] ?? null);
  return (
    <LineWithBand
      title={titlesOf(of)[unit]}
      finding={text.latency.finding(formatDuration(times.p50), formatDuration(times.p95))}
      labels={places.map((place) => placeLabel(place, unit))}
      labelHeader={text.place[unit]}
      line={{ label: 'p50', values: at('p50') }}
      band={{ label: 'p95', values: at('p95') }}
      format={formatDuration}
    />
  );
}
