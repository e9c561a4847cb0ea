import { type ReactElement, type ReactNode } from 'react';
import { DataTable, type Column } from '../ui/table/data-table';
import { Id, Name } from '../ui/text/id';
import { Time } from '../ui/text/time';
import { type DeliveryRow } from './delivery';
import { DeliveryStatus } from './state-badge';
import { text } from './text';

const words = text.list;

/** A link to a delivery around its time. */
export type DeliveryLink = (id: string, time: ReactElement) => ReactNode;

interface DeliveryTableProps {
  readonly caption: string;
  readonly rows: readonly DeliveryRow[];
  readonly link: DeliveryLink;
  readonly isStale?: boolean;
}

export const DeliveryTable = ({ caption, rows, link, isStale = false }: DeliveryTableProps): ReactElement => (
  <DataTable
    caption={caption}
    columns={deliveryColumns(link)}
    rows={rows}
    rowKey={({ id }) => id}
    isStale={isStale}
  />
);

export const deliveryColumns = (link: DeliveryLink): readonly Column<DeliveryRow>[] => [
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
    cell: ({ next_attempt_at: at }) => (at === null ? words.notDue : <Time at={at} />),
  },
  { key: 'id', header: words.id, cell: ({ id }) => <Id id={id} isShort /> },
];
