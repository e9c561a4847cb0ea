import { type ReactElement, type ReactNode } from 'react';

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
          <td key={place} data-align="end" data-name={cell[0]}>
            {cell[1]}
          </td>
        ),
      )}
    </tr>
  );
}
