import { isId } from '@svc/kernel';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { usePages } from '../../../browser/pages-of-list';
import { visibleText } from '../../../format/visible-text';
import { useList } from '../../../frame/use-list';
import { Button } from '../../../ui/button/button';
import { Segmented } from '../../../ui/segmented/segmented';
import { type Column } from '../../../ui/table/data-table';
import { PagedTable } from '../../../ui/table/paged-table';
import { Id, Name } from '../../../ui/text/id';
import { Time } from '../../../ui/text/time';
import { useRead } from '../../api/use-api';
import { Buttons, Filters } from '../../frame/filters';
import { Page } from '../../frame/page';
import { messageList } from './list';
import { ResolveMessage, type Message } from './resolve-message';
import { text } from './text';

const states = [
  { value: 'waiting', label: text.waiting },
  { value: 'resolved', label: text.resolved },
] as const;
type Act = 'requeue' | 'discard';

export function ParkedMessagesPage(): ReactElement {
  const list = useList(messageList);
  const { state = 'waiting', consumer } = list.search;
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const messages = useRead('/parked-messages', { params: { query } }, { keepsPrevious: true });
  // The message stays while its dialog closes, though it has left the list.
  const [chosen, setChosen] = useState<Message | null>(null);
  const [act, setAct] = useState<Act | null>(null);
  const choose = (message: Message, does: Act) => {
    setChosen(message);
    setAct(does);
  };
  const dialog = (does: Act) => ({ isOpen: act === does, onClose: () => setAct(null) });
  const filter = (name: string) => list.set({ consumer: name });
  return (
    <Page title={text.title} subtitle={text.purpose}>
      <MessageFilters />
      <PagedTable
        of={messages}
        pages={pages}
        lines={8}
        columns={columnsWith(state === 'waiting', choose, filter)}
        words={text}
        filters={[consumer]}
        onClear={list.clear}
      />
      {chosen !== null && (
        <>
          <ResolveMessage act="requeue" message={chosen} {...dialog('requeue')} />
          <ResolveMessage act="discard" message={chosen} {...dialog('discard')} />
        </>
      )}
    </Page>
  );
}

function MessageFilters(): ReactElement {
  const { search, set } = useList(messageList);
  return (
    <Filters>
      <Segmented
        label={text.state}
        value={search.state ?? 'waiting'}
        choices={states}
        onChange={(value) => set({ state: value === 'waiting' ? undefined : value })}
      />
      {search.consumer !== undefined && (
        <Button onClick={() => set({ consumer: undefined })}>{text.allConsumers}</Button>
      )}
    </Filters>
  );
}

function columnsWith(
  areWaiting: boolean,
  choose: (message: Message, does: Act) => void,
  filter: (consumer: string) => void,
): readonly Column<Message>[] {
  return [
    {
      key: 'event',
      header: text.columns.event,
      wraps: true,
      cell: ({ event_id: id, event_type: type }) => (
        <>
          {type === null ? text.noEvent : <code>{visibleText(type)}</code>}{' '}
          {id !== null && <Id id={id} isShort />}
        </>
      ),
    },
    {
      key: 'consumer',
      header: text.columns.consumer,
      cell: ({ consumer }) => (
        <Button
          variant="quiet"
          data-tip={text.onlyConsumer(visibleText(consumer))}
          onClick={() => filter(consumer)}
        >
          {visibleText(consumer)}
        </Button>
      ),
    },
    { key: 'reason', header: text.columns.reason, wraps: true, cell: ({ reason }) => <Name>{reason}</Name> },
    { key: 'key', header: text.columns.key, cell: ({ key }) => <Owner id={key} /> },
    areWaiting
      ? { key: 'parked', header: text.columns.parked, cell: ({ parked_at: at }) => <Time at={at} /> }
      : {
          key: 'resolved',
          header: text.columns.resolved,
          cell: ({ resolved_at: at }) => (at === null ? text.none : <Time at={at} />),
        },
    ...(areWaiting ? [actionsColumn(choose)] : []),
  ];
}

const actionsColumn = (choose: (message: Message, does: Act) => void): Column<Message> => ({
  key: 'actions',
  header: text.columns.actions,
  cell: (message) => (
    <Buttons>
      <Button
        disabledReason={message.can_requeue ? null : text.requeue.cannot}
        onClick={() => choose(message, 'requeue')}
      >
        {text.requeue.open}
      </Button>
      <Button onClick={() => choose(message, 'discard')}>{text.discard.open}</Button>
    </Buttons>
  ),
});

function Owner({ id }: { readonly id: string | null }): ReactElement {
  if (id === null) return <>{text.none}</>;
  const wrap = (short: string) => (
    <Link to="/organizations/$organizationId" params={{ organizationId: id }}>
      {short}
    </Link>
  );
  return <Id id={id} isShort {...(isId('organization', id) && { wrap })} />;
}
