import { type ReactElement, type ReactNode } from 'react';
import { type SearchLinks } from '../browser/search-links';
import styles from './narrowing-links.module.css';

/** A link around a value of a row. It narrows the list to the rows that have the value, too. */
export type NarrowingLink<Address> = (to: Address, shown: ReactNode) => ReactElement;

export function narrowingLinks<Address>(linkTo: SearchLinks<Address>): NarrowingLink<Address> {
  return (to, shown) => (
    <a className={styles.narrow} {...linkTo(to)}>
      {shown}
    </a>
  );
}
