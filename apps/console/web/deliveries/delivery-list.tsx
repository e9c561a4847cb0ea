import { type UseQueryResult } from '@tanstack/react-query';
import { type ReactElement, type ReactNode } from 'react';
import { Section } from '../frame/page';
import { useList } from '../frame/use-list';
import { Result } from '../ui/states/result';
import { PagedTable, type PagedTableProps } from '../ui/table/paged-table';
import { type DeliveryRow, type Receiver } from './delivery';
import { DeliveryFilters } from './delivery-filters';
import { deliveryColumns, DeliveryTable, type DeliveryLink } from './delivery-table';
import { deliveryList } from './list';
import { text } from './text';

/** As many as the page of a receiver shows. */
export const NEWEST = 10;
const words = text.list;

type DeliveryListProps = Pick<PagedTableProps<DeliveryRow>, 'of' | 'pages' | 'what'> & {
  readonly link: DeliveryLink;
  /** The state of what receives them; undefined while it is not known. */
  readonly receiver: Receiver['state'] | undefined;
};

/** A page of deliveries, and what they are filtered by. A search that found less than it was asked for says that it goes on. */
export const DeliveryList = ({ link, receiver, ...list }: DeliveryListProps): ReactElement => (
  <>
    <DeliveryFilters />
    <PagedTable
      {...list}
      lines={10}
      columns={deliveryColumns(link, () => receiver)}
      words={{ ...words, caption: words.title }}
      {...useList(deliveryList).filtered}
      search={{ nothingYet: words.nothingYet, searchedTo: () => words.searchedTo }}
    />
  </>
);

interface NewestDeliveriesProps extends Pick<DeliveryListProps, 'link' | 'receiver'> {
  readonly of: UseQueryResult<{ readonly data: readonly DeliveryRow[] }>;
  /** The link to all of them. */
  readonly all: ReactNode;
}

/** The newest deliveries on the page of their receiver. */
export function NewestDeliveries({ of, link, receiver, all }: NewestDeliveriesProps): ReactElement {
  return (
    <Section title={words.newest} actions={all}>
      <Result of={of} lines={4}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="muted">{words.empty}</p>
          ) : (
            <DeliveryTable caption={words.newest} rows={data} link={link} receiverOf={() => receiver} />
          )
        }
      </Result>
    </Section>
  );
}
