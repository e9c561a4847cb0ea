import { type UseQueryResult } from '@tanstack/react-query';
import { type ReactElement, type ReactNode } from 'react';
import { Section } from '../app/page';
import { type Pages } from '../app/pages-of-list';
import { Result } from '../ui/states/result';
import { Empty, NoMatch } from '../ui/states/states';
import { Pagination } from '../ui/table/pagination';
import { type DeliveryRow } from './delivery';
import { DeliveryTable, type DeliveryLink } from './delivery-table';
import { text } from './text';

/** As many as a page of the list asks for, and as the page of a receiver shows. */
export const PAGE_SIZE = 50;
export const NEWEST = 10;
const words = text.list;

interface Answer {
  readonly data: readonly DeliveryRow[];
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

export interface DeliveryListProps {
  readonly of: UseQueryResult<Answer>;
  readonly pages: Pages;
  /** What a 404 is about: `webhook`. */
  readonly what: string;
  readonly link: DeliveryLink;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

/** A page of deliveries. A search that found less than it was asked for says that it goes on. */
export function DeliveryList(props: DeliveryListProps): ReactElement {
  const { of, pages, what, link, isFiltered, onClear } = props;
  return (
    <Result of={of} what={what} lines={10}>
      {({ data, next_cursor: next, has_more: hasMore }) => (
        <>
          {data.length > 0 ? (
            <DeliveryTable caption={words.title} rows={data} link={link} isStale={of.isPlaceholderData} />
          ) : hasMore ? (
            <p>{words.nothingYet}</p>
          ) : isFiltered ? (
            <NoMatch what={words.what} onClear={onClear} />
          ) : (
            <Empty title={words.emptyTitle}>{words.empty}</Empty>
          )}
          <Pagination
            pages={pages}
            nextCursor={next}
            {...(hasMore && data.length < PAGE_SIZE && { searchedTo: words.searchedTo })}
          />
        </>
      )}
    </Result>
  );
}

export interface NewestDeliveriesProps {
  readonly of: UseQueryResult<Pick<Answer, 'data'>>;
  readonly link: DeliveryLink;
  /** The link to all of them. */
  readonly all: ReactNode;
}

/** The newest deliveries on the page of their receiver. */
export function NewestDeliveries({ of, link, all }: NewestDeliveriesProps): ReactElement {
  return (
    <Section title={words.newest} actions={all}>
      <Result of={of} lines={4}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="muted">{words.empty}</p>
          ) : (
            <DeliveryTable caption={words.newest} rows={data} link={link} />
          )
        }
      </Result>
    </Section>
  );
}
