import { Navigate } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { Page } from '../../frame/page';
import { Skeleton } from '../../ui/states/states';
import { Attention } from './attention';
import { CallsChart } from './calls-chart';
import { Cards } from './cards';
import { Controls } from './controls';
import { GroupsTable } from './groups-table';
import { LatencyCharts } from './latency-charts';
import { NearestBudgets } from './nearest-budgets';
import styles from './overview.module.css';
import { overviewRoute } from './route';
import { SpendChart } from './spend-chart';
import { text } from './text';
import { type UsageView } from './usage-reads';
import { useIsNew } from './use-is-new';
import { useRange } from './use-range';
import { useGroupSums } from './use-usage';

export function OverviewPage(): ReactElement {
  const { period = '30d', group = 'model', project, all = false } = overviewRoute.useSearch();
  const range = useRange(period);
  const view: UsageView = { range, group, project };
  const sums = useGroupSums(view, all);
  const isQuiet = sums.data?.total.requests === 0 && !sums.isPlaceholderData && project === undefined;
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
          <SpendChart view={view} period={period} />
          <div className={styles.pair}>
            <CallsChart view={view} />
            <NearestBudgets />
          </div>
          <LatencyCharts view={view} />
          <GroupsTable sums={sums} view={view} period={period} isAll={all} />
        </div>
      )}
    </Page>
  );
}
