import { Navigate } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { Page } from '../../frame/page';
import { Skeleton } from '../../ui/states/states';
import { Attention } from './attention';
import { CallsChart } from './calls-chart';
import { Cards } from './cards';
import { Controls } from './controls';
import { groupingOf } from './groups';
import { GroupsTable } from './groups-table';
import { LatencyCharts } from './latency-charts';
import { NearestBudgets } from './nearest-budgets';
import styles from './overview.module.css';
import { overviewRoute } from './route';
import { SpendChart } from './spend-chart';
import { text } from './text';
import { groupedView, viewOf } from './usage-reads';
import { useIsNew } from './use-is-new';
import { useRange } from './use-range';
import { useGroupSums, useSums } from './use-usage';

export function OverviewPage(): ReactElement {
  const search = overviewRoute.useSearch();
  const { period = '30d', project, end_user: endUser, all = false } = search;
  const range = useRange(period);
  const group = groupingOf(search.group, endUser);
  const view = viewOf(range, { group, project, endUser });
  const grouped = groupedView(view);
  const groupSums = useGroupSums(grouped, all);
  const allSums = useSums(view, group === 'end_user');
  const sums = group === 'end_user' ? allSums : groupSums;
  const isFiltered = project !== undefined || endUser !== undefined;
  const isQuiet = sums.data?.total.requests === 0 && !sums.isPlaceholderData && !isFiltered;
  const isNew = useIsNew(isQuiet, range.current.end);
  if (isNew === true) return <Navigate to="/start" replace />;
  return (
    <Page title={text.title} subtitle={text.purpose} actions={<Controls />}>
      {isNew === null ? (
        <Skeleton lines={10} />
      ) : (
        <div className={styles.overview}>
          <Attention />
          <Cards sums={sums} view={view} period={period} />
          <SpendChart view={grouped} period={period} />
          <div className={styles.pair}>
            <CallsChart view={view} />
            <NearestBudgets />
          </div>
          <LatencyCharts view={view} />
          <GroupsTable sums={groupSums} view={grouped} period={period} isAll={all} />
        </div>
      )}
    </Page>
  );
}
