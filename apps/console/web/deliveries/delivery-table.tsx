import { type ReactElement, type ReactNode } from 'react';
import { DataTable, type Column } from '../ui/table/data-table';
import { Id, Name } from '../ui/text/id';
import { Time } from '../ui/text/time';
import { type DeliveryRow, type Receiver } from './delivery';
import { Due } from './due';
import { DeliveryStatus } from './state-badge';
import { text } from './text';

const words = text.list;

/** A link to a delivery around its time. */
export type DeliveryLink = (id: string, time: ReactElement) => ReactNode;
/** The state of what receives a delivery; undefined while it is not known. */
type ReceiverOf = (id: string) => Receiver['state'] | undefined;

interface DeliveryTableProps {
  readonly caption: string;
  readonly rows: readonly DeliveryRow[];
  readonly link: DeliveryLink;
  readonly receiverOf: ReceiverOf;
  readonly isStale?: boolean;
}

export const DeliveryTable = (props: DeliveryTableProps): ReactElement => (
  <DataTable
    caption={props.caption}
    columns={deliveryColumns(props.link, props.receiverOf)}
    rows={props.rows}
    rowKey={({ id }) => id}
    isStale={props.isStale ?? false}
  />
);

export const deliveryColumns = (
  link: DeliveryLink,
  receiverOf: ReceiverOf,
): readonly Column<DeliveryRow>[] => [
  {
    key: 'at',
    header: words.at,
    cell: ({ id, created_at: at }) => link(id, <Time at={at} />),
  },
  { key: 'type', header: words.type, cell: ({ event_type: type }) => <Name>{type}</Name> },
  { key: 'status', header: words.status, cell: (delivery) => <DeliveryStatus of={delivery} /> },
  {
    key: 'attempts',
    header: words.attempts,
    cell: ({ attempt_count: count, round }) => words.attemptsOf(count, round),
  },
  {
    key: 'due',
    header: words.due,
    cell: (delivery) => <Due of={delivery} receiver={receiverOf(delivery.id)} none={words.notDue} />,
  },
  { key: 'id', header: words.id, cell: ({ id }) => <Id id={id} isShort /> },
];
