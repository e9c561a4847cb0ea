import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useOpened } from '../../browser/opened';
import { usePages } from '../../browser/pages-of-list';
import { ReceiverState } from '../../deliveries/state-badge';
import { stateWords, text as deliveryText } from '../../deliveries/text';
import { FirstButton } from '../../frame/first-button';
import { ListFilters } from '../../frame/list-filters';
import { Page } from '../../frame/page';
import { useList } from '../../frame/use-list';
import { useCan } from '../../session/organization';
import { AddButton } from '../../ui/button/add-button';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { type Integration } from './integration';
import { IntegrationDialog } from './integration-form';
import { integrationList } from './list';
import { integrationRoute } from './route';
import { kindWords, text } from './text';

export function IntegrationsPage(): ReactElement {
  const list = useList(integrationList);
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const canWrite = useCan('integration:write');
  const integrations = useRead('/integrations', { params: { query } }, { keepsPrevious: true });
  const creating = useOpened('create');
  const createButton = canWrite && <AddButton onClick={creating.open}>{text.create}</AddButton>;
  return (
    <Page title={text.title} subtitle={text.purpose} actions={createButton}>
      {filters}
      <PagedTable
        of={integrations}
        pages={pages}
        columns={columns}
        words={text}
        {...list.filtered}
        firstAction={<FirstButton opens="create" needs="integration:write" label={text.first} />}
      />
      {canWrite && <IntegrationDialog integration={null} {...creating.dialog} />}
    </Page>
  );
}

const filters = (
  <ListFilters
    of={integrationList}
    chips={{
      kind: { label: text.filters.kind, words: kindWords },
      state: { label: text.filters.state, words: stateWords },
    }}
  />
);

const eventsOf = ({ kind, event_types: types }: Integration): string => {
  if (kind === 'otlp') return text.telemetry;
  return types.length === 0 ? deliveryText.everyEvent : deliveryText.someEvents(types);
};

const columns: readonly Column<Integration>[] = [
  {
    key: 'name',
    header: text.columns.name,
    cell: ({ id, name }) => (
      <Link to={integrationRoute.to} params={{ integrationId: id }}>
        <Name>{name}</Name>
      </Link>
    ),
  },
  { key: 'kind', header: text.columns.kind, cell: ({ kind }) => kindWords[kind] },
  {
    key: 'state',
    header: text.columns.state,
    wraps: true,
    cell: (integration) => <ReceiverState of={integration} />,
  },
  { key: 'events', header: text.columns.events, cell: eventsOf },
  {
    key: 'success',
    header: text.columns.success,
    cell: ({ last_success_at: at }) => (at === null ? text.never : <Time at={at} />),
  },
];
