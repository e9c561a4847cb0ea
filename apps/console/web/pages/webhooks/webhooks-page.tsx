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
import { CreateEndpoint } from './create-endpoint';
import { latelyWords } from './lately';
import { endpointList } from './list';
import { endpointRoute } from './route';
import { text } from './text';
import { type Endpoint, type Figures } from './webhook';
import styles from './webhooks.module.css';

export function WebhooksPage(): ReactElement {
  const list = useList(endpointList);
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const canWrite = useCan('webhook:write');
  const endpoints = useRead('/webhooks', { params: { query } }, { keepsPrevious: true });
  const figures = useRead('/webhooks/figures', {});
  const creating = useOpened('create');
  const createButton = canWrite && <AddButton onClick={creating.open}>{text.create}</AddButton>;
  return (
    <Page title={text.title} subtitle={text.purpose} actions={createButton}>
      {filters}
      <PagedTable
        of={endpoints}
        pages={pages}
        columns={columnsOf(figures.data?.data)}
        words={text}
        {...list.filtered}
        firstAction={<FirstButton opens="create" needs="webhook:write" label={text.first} />}
      />
      {canWrite && <CreateEndpoint {...creating.dialog} />}
    </Page>
  );
}

const filters = (
  <ListFilters of={endpointList} chips={{ state: { label: text.filters.state, words: stateWords } }} />
);

const columnsOf = (figures: readonly Figures[] | undefined): readonly Column<Endpoint>[] => [
  {
    key: 'url',
    header: text.columns.url,
    wraps: true,
    cell: ({ id, url, description }) => (
      <>
        <Link to={endpointRoute.to} params={{ endpointId: id }}>
          <Name>{url}</Name>
        </Link>
        {description !== '' && (
          <span className={styles.note}>
            <Name>{description}</Name>
          </span>
        )}
      </>
    ),
  },
  {
    key: 'state',
    header: text.columns.state,
    wraps: true,
    cell: (endpoint) => <ReceiverState of={endpoint} />,
  },
  {
    key: 'events',
    header: text.columns.events,
    cell: ({ event_types: types }) =>
      types.length === 0 ? deliveryText.everyEvent : deliveryText.someEvents(types),
  },
  {
    key: 'secret',
    header: text.columns.secret,
    cell: ({ secret_last4: last4 }) => <code>…{last4}</code>,
  },
  { key: 'lately', header: text.columns.lately, wraps: true, cell: ({ id }) => latelyWords(figures, id) },
  { key: 'created', header: text.columns.created, cell: ({ created_at: at }) => <Time at={at} /> },
];
