import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useOpened } from '../../browser/opened';
import { Page } from '../../frame/page';
import { usePages } from '../../browser/pages-of-list';
import { receiverStates } from '../../deliveries/delivery';
import { ReceiverState } from '../../deliveries/state-badge';
import { stateWords, text as deliveryText } from '../../deliveries/text';
import { useCan } from '../../session/organization';
import { AddButton } from '../../ui/button/add-button';
import { choiceFilter } from '../../ui/filters/choice-filter';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { kinds, type Integration } from './integration';
import { IntegrationDialog } from './integration-form';
import { integrationRoute, integrationsRoute } from './route';
import { kindWords, text } from './text';

export function IntegrationsPage(): ReactElement {
  const { kind, state } = integrationsRoute.useSearch();
  const navigate = integrationsRoute.useNavigate();
  const pages = usePages();
  const query = { kind, state, ...pages.query };
  const canWrite = useCan('integration:write');
  const integrations = useRead('/integrations', { params: { query } }, { keepsPrevious: true });
  const creating = useOpened('create');
  const createButton = canWrite && <AddButton onClick={creating.open}>{text.create}</AddButton>;
  return (
    <Page title={text.title} subtitle={text.purpose} actions={createButton}>
      <Filters />
      <PagedTable
        of={integrations}
        pages={pages}
        columns={columns}
        words={text}
        filters={[kind, state]}
        onClear={() => void navigate({ search: {} })}
      />
      {canWrite && <IntegrationDialog integration={null} {...creating.dialog} />}
    </Page>
  );
}

function Filters(): ReactElement {
  const { kind, state } = integrationsRoute.useSearch();
  const navigate = integrationsRoute.useNavigate();
  const set = (change: Partial<ReturnType<typeof integrationsRoute.useSearch>>) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  const labels = text.filters;
  const filters: readonly Filter[] = [
    choiceFilter({
      key: 'kind',
      label: labels.kind,
      value: kind,
      choices: kinds,
      words: kindWords,
      onChange: (next) => set({ kind: next }),
    }),
    choiceFilter({
      key: 'state',
      label: labels.state,
      value: state,
      choices: receiverStates,
      words: stateWords,
      onChange: (next) => set({ state: next }),
    }),
  ];
  return <FilterBar filters={filters} onClearAll={() => void navigate({ search: {} })} />;
}

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
