import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { DataTable, type Column } from '../../ui/table/data-table';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { deliveryRoute } from './route';
import { DeliveryStatus } from './state-badge';
import { text } from './text';
import { type Delivery } from './webhook';

const words = text.deliveries;

export interface DeliveryTableProps {
  readonly caption: string;
  readonly rows: readonly Delivery[];
  readonly isStale?: boolean;
}

export const DeliveryTable = ({ caption, rows, isStale = false }: DeliveryTableProps): ReactElement => (
  <DataTable caption={caption} columns={columns} rows={rows} rowKey={({ id }) => id} isStale={isStale} />
);

const columns: readonly Column<Delivery>[] = [
  {
    key: 'at',
    header: words.at,
    cell: ({ id, endpoint_id: endpointId, created_at: at }) => (
      <Link to={deliveryRoute.to} params={{ endpointId, deliveryId: id }}>
        <Time at={at} />
      </Link>
    ),
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
