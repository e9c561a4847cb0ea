import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../browser/pages-of-list';
import { formatList } from '../../format/numbers';
import { visibleText } from '../../format/visible-text';
import { Page } from '../../frame/page';
import { useList } from '../../frame/use-list';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { SeverityBadge, StateBadge } from './badges';
import { type Incident } from './incident';
import { IncidentFilters } from './incident-filters';
import { incidentList } from './list';
import { incidentRoute } from './route';
import { componentWords, text } from './text';

const headers = text.columns;

export function IncidentsPage(): ReactElement {
  const list = useList(incidentList);
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const incidents = useRead('/incidents', { params: { query } }, { keepsPrevious: true });
  return (
    <Page title={text.title} subtitle={text.purpose}>
      <IncidentFilters />
      <PagedTable of={incidents} pages={pages} columns={columns} words={text} {...list.filtered} />
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
