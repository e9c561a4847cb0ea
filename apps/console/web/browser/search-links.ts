import { type UseNavigateResult } from '@tanstack/react-router';
import { type MouseEvent } from 'react';
import { stringifySearch } from './address';

/** Of an `a`. */
interface SearchLink {
  readonly href: string;
  readonly onClick: (event: MouseEvent<HTMLAnchorElement>) => void;
}

/** @param keepsPlace whether the list stays where it is: the same page of it, as far down. */
export type SearchLinks<Address> = (change: Address, keepsPlace?: boolean) => SearchLink;

/**
 * Links from a list to itself with a changed search. The router's `Link` builds a whole location and listens to the
 * router, which takes too long for fifty rows with six links each.
 *
 * @param search of the page that is shown, as its route has it.
 */
export const searchLinks =
  <Address extends Readonly<Record<string, unknown>>>(
    navigate: UseNavigateResult<string>,
    search: Address,
  ): SearchLinks<Address> =>
  (change, keepsPlace = false) => {
    const changed = { ...search, ...change };
    return {
      href: stringifySearch(changed) || '?',
      onClick: (event) => {
        if (!isPlain(event)) return;
        event.preventDefault();
        void navigate({ to: '.', search: changed, ...(keepsPlace && { state: true, resetScroll: false }) });
      },
    };
  };

/** The browser opens a tab or a window, or downloads, where a key is held or another button pressed. */
const isPlain = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey;
