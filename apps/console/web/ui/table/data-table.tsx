import { memo, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';
import { useLasting } from '../../browser/use-lasting';
import { InRowContext } from '../text/time';
import { Scroller } from './scroller';
import styles from './data-table.module.css';

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand at the end, so that their digits are below each other. */
  readonly align?: 'start' | 'end';
  /** Says what the header means. */
  readonly hint?: string;
  /** Its words may break into lines. */
  readonly wraps?: boolean;
  /** Where the rows are all there, the header sorts them. A page of a longer list cannot be sorted. */
  readonly sort?: ColumnSort;
  /** Where the cell stands at 375 px, of a table whose rows are two lines there. The cells without a place are left out. */
  readonly place?: Place;
}

type Place = 'topStart' | 'topEnd' | 'bottomStart' | 'bottomEnd';

export interface ColumnSort {
  /** Null while the rows are in another order. */
  readonly direction: 'ascending' | 'descending' | null;
  readonly onToggle: () => void;
}

interface DataTableProps<Row> {
  /** The name of the table: `API keys`. Read out, and the name of the region that scrolls. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** True while the rows are those of the page before. */
  readonly isStale?: boolean;
  /** The row whose details are open beside the list. */
  readonly currentKey?: string | null;
  /** Below the rows, in the table: sums. */
  readonly footer?: ReactNode;
}

/**
 * Rows of the API in its order. `j` and `k` walk the rows, Enter opens the first link of the row in focus. At 375 px each
 * row is a list of its cells, named by their headers, or two lines where columns have a `place`. A cell may be a row's header: give the first one a link.
 */
export function DataTable<Row>(props: DataTableProps<Row>): ReactElement {
  const { caption, columns, rows, rowKey, isStale = false, currentKey = null, footer } = props;
  const isShownStale = useLasting(isStale);
  return (
    <Scroller label={caption}>
      <table
        className={styles.table}
        data-lines={hasTwoLines(columns) || undefined}
        data-stale={isShownStale || undefined}
        aria-busy={isStale || undefined}
      >
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ key, header, align, hint, sort }) => (
              <th
                key={key}
                scope="col"
                data-align={align}
                data-tip={hint}
                aria-description={hint}
                aria-sort={sort?.direction ?? undefined}
              >
                {sort === undefined ? (
                  header
                ) : (
                  <button type="button" className={styles.sort} onClick={sort.onToggle}>
                    {header}
                    <span aria-hidden="true">{marks[sort.direction ?? 'none']}</span>
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <InRowContext value>
            {rows.map((row) => {
              const key = rowKey(row);
              return <Row key={key} row={row} columns={columns} isCurrent={key === currentKey} />;
            })}
          </InRowContext>
        </tbody>
        {footer !== undefined && <tfoot>{footer}</tfoot>}
      </table>
    </Scroller>
  );
}

const marks = { ascending: ' ↑', descending: ' ↓', none: '' } as const;

const hasTwoLines = <Row,>(columns: readonly Column<Row>[]): boolean =>
  columns.some(({ place }) => place !== undefined);

interface RowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  readonly isCurrent: boolean;
}

/** Drawn again where its values, the columns or its mark changed: most rows of a live list stay. */
const Row = memo(function Row<Row>({ row, columns, isCurrent }: RowProps<Row>): ReactElement {
  const isTwoLines = hasTwoLines(columns);
  return (
    <tr
      // Reached by `j` and `k`, not by Tab: its links are.
      tabIndex={-1}
      data-row=""
      aria-current={isCurrent || undefined}
      onKeyDown={openRow}
    >
      {columns.map((column, nth) => (
        <Cell
          key={column.key}
          column={column}
          row={row}
          isHeader={nth === 0}
          isLaidOut={!isTwoLines || column.place !== undefined}
        />
      ))}
    </tr>
  );
}) as <Row>(props: RowProps<Row>) => ReactElement;

function Cell<Row>(props: {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly isHeader: boolean;
  /** False where a narrow screen leaves the cell out, so that its content needs no box. */
  readonly isLaidOut: boolean;
}): ReactElement {
  const { column, row, isHeader, isLaidOut } = props;
  const cell = column.cell(row);
  const content = isLaidOut ? <span className={styles.content}>{cell}</span> : cell;
  const shared = {
    'data-name': column.header,
    'data-align': column.align,
    'data-wraps': column.wraps,
    'data-place': column.place,
  };
  return isHeader ? (
    <th scope="row" {...shared}>
      {content}
    </th>
  ) : (
    <td {...shared}>{content}</td>
  );
}

function openRow(event: KeyboardEvent<HTMLTableRowElement>): void {
  if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
  event.preventDefault();
  event.currentTarget.querySelector('a')?.click();
}
