import { type ReactElement } from 'react';
import styles from '../overview.module.css';
import { type Period } from '../period';
import { groupedView, type UsageView } from '../usage-reads';
import { useChartView, type GroupSums } from '../use-usage';
import { CallsChart } from './calls-chart';
import { GroupsTable } from './groups-table';
import { LastFailures } from './last-failures';
import { LatencyCharts } from './latency-charts';
import { NearestBudgets } from './nearest-budgets';
import { SpendChart } from './spend-chart';

export { Attention } from './attention';

interface PartsProps {
  readonly view: UsageView;
  readonly period: Period;
  readonly groupSums: GroupSums;
  readonly isAll: boolean;
}

/** The parts below the cards. */
export function Parts({ view, period, groupSums, isAll }: PartsProps): ReactElement {
  const charted = useChartView(view);
  // Another unit is another chart: nothing of the one before is shown in its place.
  const { unit } = charted.range;
  // End users have sums by day alone.
  const spent = view.group === 'end_user' ? groupedView(view) : charted;
  return (
    <>
      <SpendChart key={`spend ${unit}`} view={spent} period={period} />
      <div className={styles.pair}>
        <CallsChart key={`calls ${unit}`} view={charted} />
        <NearestBudgets />
      </div>
      <LastFailures view={view} />
      <LatencyCharts key={`latency ${unit}`} view={charted} />
      <GroupsTable sums={groupSums} view={groupedView(view)} period={period} isAll={isAll} />
    </>
  );
}
