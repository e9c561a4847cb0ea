import { type ReactElement } from 'react';
import { StackedBars } from '../../../charts/on-demand-charts';
import { formatCount } from '../../../format/numbers';
import { Section } from '../../../frame/page';
import { Result } from '../../../ui/states/result';
import { type UsageRow, type UsageTotal } from '../groups';
import { type PeriodRange } from '../period';
import { placeLabel } from './place-label';
import { text } from './text';
import { type UsageView } from '../usage-reads';
import { useCallsOverTime } from '../use-usage';

/** Calls over time, those that failed told apart. */
export function CallsChart({ view }: { readonly view: UsageView }): ReactElement {
  const usage = useCallsOverTime(view);
  return (
    <Section title={text.calls.title[view.range.unit]}>
      <Result of={usage} lines={8}>
        {({ data, total }) => <CallBars rows={data} total={total} range={view.range} />}
      </Result>
    </Section>
  );
}

interface CallBarsProps {
  readonly rows: readonly UsageRow[];
  readonly total: UsageTotal;
  readonly range: PeriodRange;
}

function CallBars({ rows, total, range: { unit, places } }: CallBarsProps): ReactElement {
  const byPlace = new Map(rows.map((row) => [row[unit], row]));
  const values = (count: (row: UsageRow) => number) =>
    places.map((place) => {
      const row = byPlace.get(place);
      return row === undefined ? 0 : count(row);
    });
  const failed = values((row) => row.failed);
  const worst = failed.indexOf(Math.max(...failed));
  const words = text.calls;
  return (
    <StackedBars
      title={words.title[unit]}
      finding={words.finding(
        total.requests,
        total.failed,
        places.length > 1 && total.failed > 0 ? placeLabel(places[worst] ?? '', unit) : null,
      )}
      labels={places.map((place) => placeLabel(place, unit))}
      labelHeader={text.place[unit]}
      series={[
        {
          key: 'answered',
          label: words.succeeded,
          values: values(({ requests, failed: lost, cancelled }) => requests - lost - cancelled),
        },
        { key: 'cancelled', label: words.cancelled, values: values((row) => row.cancelled), isOther: true },
        { key: 'failed', label: words.failed, values: failed, isBad: true },
      ]}
      format={formatCount}
      sum={(counts) => counts.reduce((all, count) => all + count, 0)}
      sumHeader={text.total}
    />
  );
}
