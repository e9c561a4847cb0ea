import { type UseQueryResult } from '@tanstack/react-query';
import { type ReactElement, type ReactNode } from 'react';
import { PAGE_SIZE, type Pages } from '../../browser/pages-of-list';
import { Result, type ResultProps } from '../states/result';
import { Empty, NoMatch } from '../states/states';
import { DataTable, type Column } from './data-table';
import { Pagination } from './pagination';

interface PagedTableWords {
  /** The name of the table: `API keys`. */
  readonly caption: string;
  /** `No keys yet`. Without it `empty` is a line of the section that the list is in. */
  readonly emptyTitle?: string;
  /** The purpose of the items of the list. */
  readonly empty: string;
}

type Filtered =
  | { readonly filters?: never; readonly onClear?: never; readonly words: PagedTableWords }
  | {
      /** The values of its filters; undefined where one is not set. */
      readonly filters: readonly unknown[];
      readonly onClear: () => void;
      /** `what` ends "No … match these filters": `keys`. */
      readonly words: PagedTableWords & { readonly what: string };
    };

interface Answer<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

export type PagedTableProps<Row> = Filtered &
  Pick<ResultProps<unknown>, 'lines' | 'what'> & {
    readonly of: UseQueryResult<Answer<Row>>;
    readonly pages: Pages;
    readonly columns: readonly Column<Row>[];
    /** Beside `emptyTitle`: what makes the first of them. */
    readonly firstAction?: ReactNode;
    /** Of a search that may stop before its page is full: how far it came, by the cursor that goes on. */
    readonly search?: { readonly nothingYet: string; readonly searchedTo: (cursor: string) => ReactNode };
  };

/** A list of the API: a page of its rows, or why there are none, and the way to the other pages. */
export function PagedTable<Row extends { readonly id: string }>(props: PagedTableProps<Row>): ReactElement {
  const { of, pages, lines, what, search } = props;
  return (
    <Result of={of} lines={lines} what={what}>
      {({ data, next_cursor: next }) => (
        <>
          <Rows {...props} rows={data} next={next} />
          <Pagination
            pages={pages}
            nextCursor={next}
            searchedTo={next !== null && data.length < PAGE_SIZE ? search?.searchedTo(next) : undefined}
          />
        </>
      )}
    </Result>
  );
}

function Rows<Row extends { readonly id: string }>(
  props: PagedTableProps<Row> & { readonly rows: readonly Row[]; readonly next: string | null },
): ReactElement {
  const { of, pages, columns, words, search, rows, next } = props;
  // A page beside others is empty where its rows have left the list meanwhile, or where a search found none.
  const isOneOfSeveral = next !== null || pages.hasPrevious;
  if (rows.length > 0 || (search === undefined && isOneOfSeveral))
    return (
      <DataTable
        caption={words.caption}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        isStale={of.isPlaceholderData}
      />
    );
  if (search !== undefined && next !== null) return <p>{search.nothingYet}</p>;
  if (props.filters?.some((value) => value !== undefined))
    return <NoMatch what={props.words.what} onClear={props.onClear} />;
  if (words.emptyTitle === undefined) return <p className="muted">{words.empty}</p>;
  return (
    <Empty title={words.emptyTitle} action={props.firstAction}>
      {words.empty}
    </Empty>
  );
}
