import { Link } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState } from 'react';
import { useOpened } from '../../../browser/opened';
import { usePages } from '../../../browser/pages-of-list';
import { formatCount } from '../../../format/numbers';
import { useList } from '../../../frame/use-list';
import { AddButton } from '../../../ui/button/add-button';
import { Segmented } from '../../../ui/segmented/segmented';
import { type Column } from '../../../ui/table/data-table';
import { PagedTable } from '../../../ui/table/paged-table';
import { Name } from '../../../ui/text/id';
import { Time } from '../../../ui/text/time';
import { useRead } from '../../api/use-api';
import { Filters, withAll } from '../../frame/filters';
import { Page } from '../../frame/page';
import { DeclareIncident } from './declare-incident';
import { SeverityBadge, StateBadge, type Incident } from './incident';
import { incidentList } from './list';
import { incidentRoute, incidentsRoute } from './route';
import { sourceWords, text } from './text';

const states = withAll(text.all, incidentList.filters.state, text);

export function IncidentsPage(): ReactElement {
  const list = useList(incidentList);
  const navigate = incidentsRoute.useNavigate();
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const incidents = useRead('/incidents', { params: { query } }, { keepsPrevious: true });
  const declaring = useOpened('declare');
  const [declaredId, setDeclaredId] = useState<string | null>(null);
  useEffect(() => {
    // Once its form is closed: before that, leaving the page would ask.
    if (declaredId !== null && !declaring.dialog.isOpen)
      void navigate({ to: incidentRoute.to, params: { incidentId: declaredId } });
  }, [declaredId, declaring.dialog.isOpen, navigate]);
  return (
    <Page
      title={text.title}
      subtitle={text.purpose}
      actions={<AddButton onClick={declaring.open}>{text.declare.open}</AddButton>}
    >
      <Filters>
        <Segmented
          label={text.state}
          value={list.search.state ?? 'all'}
          choices={states}
          onChange={(value) => list.set({ state: value === 'all' ? undefined : value })}
        />
      </Filters>
      <PagedTable of={incidents} pages={pages} lines={10} columns={columns} words={text} {...list.filtered} />
      <DeclareIncident {...declaring.dialog} onDeclared={setDeclaredId} />
    </Page>
  );
}

const columns: readonly Column<Incident>[] = [
  {
    key: 'title',
    header: text.columns.title,
    wraps: true,
    cell: ({ id, title }) => (
      <Link to={incidentRoute.to} params={{ incidentId: id }}>
        <Name>{title}</Name>
      </Link>
    ),
  },
  { key: 'state', header: text.columns.state, cell: ({ state }) => <StateBadge state={state} /> },
  {
    key: 'severity',
    header: text.columns.severity,
    cell: ({ severity }) => <SeverityBadge severity={severity} />,
  },
  { key: 'source', header: text.columns.source, cell: ({ source }) => sourceWords[source] },
  {
    key: 'told',
    header: text.columns.told,
    align: 'end',
    cell: ({ organization_count: count }) => formatCount(count),
  },
  { key: 'started', header: text.columns.started, cell: ({ started_at: at }) => <Time at={at} /> },
];
