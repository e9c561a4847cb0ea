import { type ReactElement } from 'react';
import { StackedBars } from '../../../charts/on-demand-charts';
import { formatExactMoney, formatMoney } from '../../../format/money';
import { moneyTick } from '../../../format/money-tick';
import { visibleText } from '../../../format/visible-text';
import { Section } from '../../../frame/page';
import { Result } from '../../../ui/states/result';
import { groupKey, type UsageRow } from '../groups';
import { type Period } from '../period';
import { shareOf, spendSeries, sum } from './group-sums';
import { placeLabel } from './place-label';
import { text } from './text';
import { type UsageView } from '../usage-reads';
import { useGroupNames } from './use-group-names';
import { useGroupsOverTime } from '../use-usage';

interface SpendChartProps {
  readonly view: UsageView;
  readonly period: Period;
}

/** Spend over time, stacked by group. */
export function SpendChart(props: SpendChartProps): ReactElement {
  const { view } = props;
  const usage = useGroupsOverTime(view);
  return (
    <Section title={text.spend.title[view.range.unit]}>
      <Result of={usage} lines={8}>
        {({ data, total }) => <SpendBars {...props} rows={data} total={total.customer_nanos} />}
      </Result>
    </Section>
  );
}

function SpendBars(
  props: SpendChartProps & { readonly rows: readonly UsageRow[]; readonly total: bigint },
): ReactElement {
  const { view, period, rows, total } = props;
  const { unit, places } = view.range;
  const series = spendSeries(rows, view.group, unit, places);
  const nameOf = useGroupNames(
    series.map(({ group }) => group),
    view.group,
  );
  const named = series.map(({ group, values }) => ({
    key: groupKey(group),
    label: visibleText(nameOf(group)),
    values,
    isOther: group === 'other',
  }));
  const [top] = named.filter(({ isOther }) => !isOther);
  return (
    <>
      <StackedBars
        title={text.spend.title[unit]}
        finding={findingOf({ view, period, total, top })}
        labels={places.map((place) => placeLabel(place, unit))}
        labelHeader={text.place[unit]}
        series={named}
        format={formatExactMoney}
        formatTick={moneyTick}
        sum={sum}
        sumHeader={text.total}
      />
      {unit === 'hour' && (
        <p className="muted">{period === 'today' ? text.spend.byHour : text.spend.onlyToday}</p>
      )}
    </>
  );
}

interface Finding extends SpendChartProps {
  readonly total: bigint;
  readonly top: { readonly label: string; readonly values: readonly bigint[] } | undefined;
}

function findingOf({ view, period, total, top }: Finding): string {
  const words = view.group === 'end_user' ? text.endUsers : text.spend;
  if (total === 0n) return words.nothingSpent(period);
  if (top === undefined) return words.finding(period, formatMoney(total), null);
  const amount = sum(top.values);
  return words.finding(period, formatMoney(total), {
    name: top.label,
    amount: formatMoney(amount),
    share: shareOf(amount, total),
  });
}
