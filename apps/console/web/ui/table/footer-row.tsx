import { type ReactElement, type ReactNode } from 'react';
import styles from './data-table.module.css';

interface FooterRowProps {
  /** The name of the row: `Total`. */
  readonly label: string;
  /** A cell for each further column, named as its header; null where the column has no sum. */
  readonly cells: readonly (readonly [name: string, value: ReactNode] | null)[];
}

/** Sums below the rows of a `DataTable`. */
export function FooterRow({ label, cells }: FooterRowProps): ReactElement {
  return (
    <tr>
      <th scope="row">{label}</th>
      {cells.map((cell, place) =>
        cell === null ? (
          <td key={place} />
        ) : (
          <td key={place} data-align="end">
            <span className={styles.name} aria-hidden="true">
              {cell[0]}
            </span>
            {cell[1]}
          </td>
        ),
      )}
    </tr>
  );
}
