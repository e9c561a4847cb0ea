import { type ReactElement, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from '../ui/button/button';
import { Scroller } from '../ui/table/scroller';
import tableStyles from '../ui/table/data-table.module.css';
import styles from './charts.module.css';

export interface ChartTable {
  readonly headers: readonly string[];
  /** Cells of each row, the first of them its header. */
  readonly rows: readonly (readonly string[])[];
  /** Sums below the rows, as many cells as these. */
  readonly footer?: readonly string[];
}

interface ChartFigureProps {
  /** The subject of the chart, as the heading above it says: `Spend by day`. Its table has it as the caption. */
  readonly title: string;
  /** A sentence that says what it shows: `Spend rose to $12.40 on 22 Nov (UTC), most of it for acme/large.` */
  readonly finding: string;
  readonly legend?: ReactNode;
  readonly table: ChartTable;
  /** The drawing, for a width in CSS pixels. */
  readonly children: (width: number) => ReactNode;
}

/** A drawing with its finding as the caption, and a table of the same numbers in its place on demand. */
export function ChartFigure({ title, finding, legend, table, children }: ChartFigureProps): ReactElement {
  const [isTable, setIsTable] = useState(false);
  const { ref, width } = useWidth();
  const id = useId();
  return (
    <figure className={styles.figure} aria-labelledby={id}>
      <figcaption className={styles.caption}>
        <p id={id} className={styles.finding}>
          {finding}
        </p>
        <Button variant="quiet" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
          Show as table
        </Button>
      </figcaption>
      {!isTable && legend}
      <div ref={ref} className={styles.drawing}>
        {isTable ? <Numbers title={title} table={table} /> : width > 0 && children(width)}
      </div>
    </figure>
  );
}

function Numbers({ title, table }: { readonly title: string; readonly table: ChartTable }): ReactElement {
  return (
    <Scroller label={`${title}, as a table`}>
      <table className={tableStyles.table}>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            {table.headers.map((header, place) => (
              <th key={place} scope="col" data-align={place === 0 ? 'start' : 'end'}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((cells, place) => (
            <NumberRow key={place} headers={table.headers} cells={cells} />
          ))}
        </tbody>
        {table.footer && (
          <tfoot>
            <NumberRow headers={table.headers} cells={table.footer} />
          </tfoot>
        )}
      </table>
    </Scroller>
  );
}

function NumberRow(props: {
  readonly headers: readonly string[];
  readonly cells: readonly string[];
}): ReactElement {
  const { headers, cells } = props;
  const [name, ...numbers] = cells;
  return (
    <tr>
      <th scope="row">{name}</th>
      {numbers.map((number, place) => (
        <td key={place} data-align="end">
          <span className={tableStyles.name} aria-hidden="true">
            {headers[place + 1]}
          </span>
          {number}
        </td>
      ))}
    </tr>
  );
}

function useWidth(): { readonly ref: React.RefObject<HTMLDivElement | null>; readonly width: number } {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(element);
    setWidth(Math.floor(element.clientWidth));
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
