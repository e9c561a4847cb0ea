import { Navigate } from '@tanstack/react-router';
import { type ReactElement, Suspense } from 'react';
import { Page, Section } from '../../frame/page';
import { lazyPart } from '../../ui/loading/lazy-part';
import { Skeleton } from '../../ui/states/states';
import { Cards } from './cards';
import { Controls } from './controls';
import { groupingOf } from './groups';
import styles from './overview.module.css';
import { overviewRoute } from './route';
import { text } from './text';
import { groupedView, viewOf, type UsageView } from './usage-reads';
import { useIsNew } from './use-is-new';
import { useRange } from './use-range';
import { useGroupSums, useSums } from './use-usage';

/** The parts that are not seen at first. They load while the page reads, and do not hold up the cards. */
const load = () => import('./parts/parts');
const Attention = lazyPart(async () => (await load()).Attention);
const Parts = lazyPart(async () => (await load()).Parts);
// Where that fails, the parts tell.
void load().catch(() => undefined);

export function OverviewPage(): ReactElement {
  const search = overviewRoute.useSearch();
  const { period = '30d', project, end_user: endUser, all = false } = search;
  const range = useRange(period);
  const group = groupingOf(search.group, endUser);
  const view = viewOf(range, { group, project, endUser });
  const groupSums = useGroupSums(groupedView(view), all);
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
          <Suspense>
            <Attention />
          </Suspense>
          <Cards sums={sums} view={view} period={period} />
          <Suspense fallback={<SpendToCome view={view} />}>
            <Parts {...{ view, period, groupSums }} isAll={all} />
          </Suspense>
        </div>
      )}
    </Page>
  );
}

/** In the place of the first chart, and as large. */
const SpendToCome = ({ view }: { readonly view: UsageView }): ReactElement => (
  <Section title={text.spendTitle[groupedView(view).range.unit]}>
    <Skeleton lines={8} />
  </Section>
);
