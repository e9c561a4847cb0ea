import { type ReactElement, useState } from 'react';
import { type components } from '../../api/generated/management';
import { useRead } from '../../api/use-api';
import { pageOf, usePages } from '../../browser/pages-of-list';
import { Page } from '../../frame/page';
import { useList } from '../../frame/use-list';
import { useCan } from '../../session/organization';
import { Result } from '../../ui/states/result';
import { Empty, NoMatch } from '../../ui/states/states';
import { DataTable } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { Filled } from '../../ui/text/filled';
import { Time } from '../../ui/text/time';
import { askedSpan } from './asked-span';
import { refusalList } from './list';
import { GROUPED_BY, refusalKey, type Refusal } from './refusal';
import { useRefusalColumns } from './refusal-columns';
import { RefusalFilters } from './refusal-filters';
import styles from './refusals.module.css';
import { text } from './text';
import { useRefusalNames, type RefusalNames } from './use-refusal-names';

type Refusals = components['schemas']['Refusals'];
const none: readonly Refusal[] = [];

export function RefusalsPage(): ReactElement {
  const list = useList(refusalList);
  const pages = usePages();
  // The default span stays while the page is open: it would be another question each hour.
  const [openedMs] = useState(() => Date.now());
  const query = { ...list.query, ...askedSpan(list.search, openedMs), group_by: GROUPED_BY };
  const refusals = useRead('/usage/refusals', { params: { query } }, { keepsPrevious: true });
  const shown = pageOf(refusals.data?.data ?? none, pages);
  const names = useRefusalNames(shown.rows, list.search);
  return (
    <Page title={text.title} subtitle={text.purpose}>
      <RefusalFilters names={names} />
      <Result of={refusals} lines={10}>
        {({ data, ...sums }) =>
          data.length === 0 ? (
            <NoRefusals />
          ) : (
            <>
              <Sum {...sums} />
              <Rows rows={shown.rows} names={names} isStale={refusals.isPlaceholderData} />
              <Pagination pages={pages} nextCursor={shown.nextCursor} />
            </>
          )
        }
      </Result>
    </Page>
  );
}

const Sum = ({ start, end, total }: Omit<Refusals, 'data'>): ReactElement => (
  <p className={styles.sum}>
    <Filled
      sentence={text.total(total.count)}
      places={{ start: <Time at={start} as="instant" />, end: <Time at={end} as="instant" /> }}
    />{' '}
    <span className="muted">{text.order}</span>
  </p>
);

interface RowsProps {
  readonly rows: readonly Refusal[];
  readonly names: RefusalNames;
  readonly isStale: boolean;
}

function Rows({ rows, names, isStale }: RowsProps): ReactElement {
  const canReadKeys = useCan('key:read');
  return (
    <DataTable
      caption={text.caption}
      columns={useRefusalColumns(names, canReadKeys)}
      rows={rows}
      rowKey={refusalKey}
      isStale={isStale}
    />
  );
}

function NoRefusals(): ReactElement {
  const { filters, onClear } = useList(refusalList).filtered;
  if (filters.some((value) => value !== undefined)) return <NoMatch what={text.what} onClear={onClear} />;
  return <Empty title={text.emptyTitle}>{text.empty}</Empty>;
}
