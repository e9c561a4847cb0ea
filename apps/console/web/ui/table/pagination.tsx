import { type ReactElement, type ReactNode } from 'react';
import { type Pages } from '../../browser/pages-of-list';
import { Button } from '../button/button';
import { ChevronLeftIcon, ChevronRightIcon } from '../icons/later-icons';
import styles from './data-table.module.css';

interface PaginationProps {
  readonly pages: Pages;
  /** `next_cursor` of the page that is shown. */
  readonly nextCursor: string | null | undefined;
  /** The part that a bounded search has looked through, where a page holds fewer rows than it asked while there is more. */
  readonly searchedTo?: ReactNode;
}

/** "Previous page" and "Next page". Where a search stopped before its page was full: "Searched to … Continue". */
export function Pagination({ pages, nextCursor, searchedTo }: PaginationProps): ReactElement | null {
  const next = nextCursor ?? null;
  if (!pages.hasPrevious && next === null) return null;
  const goOn = () => next !== null && pages.next(next);
  return (
    <div className={styles.pages} role="group" aria-label="Pages">
      {searchedTo !== undefined && next !== null && (
        <p className={styles.searched}>
          Searched to {searchedTo}. <Button onClick={goOn}>Continue</Button>
        </p>
      )}
      <Button icon={<ChevronLeftIcon />} onClick={pages.previous} isDisabled={!pages.hasPrevious}>
        Previous page
      </Button>
      <Button onClick={goOn} isDisabled={next === null}>
        Next page <ChevronRightIcon />
      </Button>
    </div>
  );
}
