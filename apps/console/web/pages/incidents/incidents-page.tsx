import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { Page } from '../../app/page';
import { usePages } from '../../app/pages-of-list';
import { formatList } from '../../format/numbers';
import { visibleText } from '../../format/visible-text';
import { Result } from '../../ui/states/result';
import { Empty, NoMatch } from '../../ui/states/states';
import { DataTable, type Column } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { SeverityBadge, StateBadge } from './badges';
import { type Incident } from './incident';
import { IncidentFilters } from './incident-filters';
import { incidentRoute, incidentsRoute } from './route';
import { componentWords, text } from './text';

const PAGE_SIZE = 50;
const headers = text.columns;

export function IncidentsPage(): ReactElement {
  const { state, severity } = incidentsRoute.useSearch();
  const navigate = incidentsRoute.useNavigate();
  const pages = usePages();
  const query = { state, severity, limit: PAGE_SIZE, cursor: pages.cursor };
  const incidents = useRead('/incidents', { params: { query } }, { keepsPrevious: true });
  return (
    <Page title={text.title} subtitle={text.purpose}>
      <IncidentFilters />
      <Result of={incidents} lines={6}>
        {({ data, next_cursor }) => (
          <>
            {data.length > 0 || next_cursor !== null ? (
              <DataTable
                caption={text.caption}
                columns={columns}
                rows={data}
                rowKey={({ id }) => id}
                isStale={incidents.isPlaceholderData}
              />
            ) : state !== undefined || severity !== undefined ? (
              <NoMatch what={text.what} onClear={() => void navigate({ search: {} })} />
            ) : (
              <Empty title={text.emptyTitle}>{text.empty}</Empty>
            )}
            <Pagination pages={pages} nextCursor={next_cursor} />
          </>
        )}
      </Result>
    </Page>
  );
}

const columns: readonly Column<Incident>[] = [
  {
    key: 'title',
    header: headers.title,
    wraps: true,
    cell: ({ id, title }) => (
      <Link to={incidentRoute.to} params={{ incidentId: id }}>
        <Name>{title}</Name>
      </Link>
    ),
  },
  { key: 'state', header: headers.state, cell: ({ state }) => <StateBadge of={state} /> },
  { key: 'severity', header: headers.severity, cell: ({ severity }) => <SeverityBadge of={severity} /> },
  {
    key: 'about',
    header: headers.about,
    wraps: true,
    cell: ({ components, providers, models }) =>
      visibleText(formatList([...components.map(componentWords), ...providers, ...models])),
  },
  { key: 'started', header: headers.started, cell: ({ started_at: at }) => <Time at={at} /> },
  {
    key: 'resolved',
    header: headers.resolved,
    cell: ({ resolved_at: at }) => (at === null ? text.notYet : <Time at={at} />),
  },
];
