import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { formatCount } from '../../../format/numbers';
import { visibleText } from '../../../format/visible-text';
import { Facts, Section } from '../../../frame/page';
import { Badge } from '../../../ui/badge/badge';
import { WarningNote } from '../../../ui/states/notes';
import { Result } from '../../../ui/states/result';
import { DataTable, type Column } from '../../../ui/table/data-table';
import { Id } from '../../../ui/text/id';
import { Time } from '../../../ui/text/time';
import { type Schemas, useRead } from '../../api/use-api';
import { Page } from '../../frame/page';
import { queueWords, text } from './text';

type Health = Schemas['InstallationHealth'];
type Queue = Health['queues'][number];

const EVERY_MS = 30_000;
/** Counted no further. */
const COUNTED_MAX = 10_000;

export function HealthPage(): ReactElement {
  const health = useRead('/health', {}, { everyMs: EVERY_MS });
  return (
    <Page title={text.title} subtitle={text.purpose}>
      <Result of={health} lines={12}>
        {(found) => (
          <>
            <Services of={found} />
            <Edges of={found} />
            <Queues of={found} />
          </>
        )}
      </Result>
    </Page>
  );
}

const LiveBadge = ({ isLive }: { readonly isLive: boolean }): ReactElement => (
  <Badge tone={isLive ? 'good' : 'bad'}>{isLive ? text.live : text.dead}</Badge>
);

function Services({ of }: { readonly of: Health }): ReactElement {
  const { worker, edges, writable_since: writableSince } = of;
  return (
    <Section title={text.services}>
      {!worker.is_live && <WarningNote>{text.noWorker}</WarningNote>}
      {edges.every(({ is_live: isLive }) => !isLive) && <WarningNote>{text.noEdge}</WarningNote>}
      <Facts
        of={[
          [text.version, visibleText(of.version)],
          [text.worker, <LiveBadge key="" isLive={worker.is_live} />],
          [
            text.beat,
            worker.beat_at === null ? text.never : <Time key="" at={worker.beat_at} as="instant" />,
          ],
          [
            text.writable,
            writableSince === null ? text.never : <Time key="" at={writableSince} as="instant" />,
          ],
          [text.checked, <Time key="" at={of.checked_at} as="instant" />],
        ]}
      />
    </Section>
  );
}

function Edges({ of: { edges } }: { readonly of: Health }): ReactElement {
  return (
    <Section title={text.edges}>
      {edges.length === 0 ? (
        <p className="muted">{text.noEdges}</p>
      ) : (
        <DataTable caption={text.edges} columns={edgeColumns} rows={edges} rowKey={({ id }) => id} />
      )}
    </Section>
  );
}

const edgeColumns: readonly Column<Health['edges'][number]>[] = [
  { key: 'edge', header: text.edge, cell: ({ id }) => <Id id={id} /> },
  { key: 'state', header: text.state, cell: ({ is_live: isLive }) => <LiveBadge isLive={isLive} /> },
  { key: 'started', header: text.started, cell: ({ started_at: at }) => <Time at={at} /> },
  { key: 'lease', header: text.lease, cell: ({ lease_until: at }) => <Time at={at} as="instant" /> },
];

function Queues({ of: { queues } }: { readonly of: Health }): ReactElement {
  return (
    <Section title={text.queues}>
      <DataTable caption={text.queues} columns={queueColumns} rows={queues} rowKey={({ name }) => name} />
      <p className="muted">{text.metrics}</p>
    </Section>
  );
}

const pages: Partial<Record<Queue['name'], '/parked-messages' | '/payments' | '/incidents'>> = {
  parked_messages: '/parked-messages',
  payments_in_review: '/payments',
  incident_updates: '/incidents',
};

function QueueName({ name }: Pick<Queue, 'name'>): ReactElement {
  const to = pages[name];
  return to === undefined ? <>{queueWords[name]}</> : <Link to={to}>{queueWords[name]}</Link>;
}

const queueColumns: readonly Column<Queue>[] = [
  { key: 'queue', header: text.queue, wraps: true, cell: ({ name }) => <QueueName name={name} /> },
  {
    key: 'waiting',
    header: text.waiting,
    align: 'end',
    cell: ({ waiting }) =>
      waiting === 0
        ? text.nothing
        : waiting >= COUNTED_MAX
          ? text.atLeast(formatCount(waiting))
          : formatCount(waiting),
  },
  {
    key: 'oldest',
    header: text.oldest,
    cell: ({ oldest_at: at }) => (at === null ? text.nothing : <Time at={at} />),
  },
];
