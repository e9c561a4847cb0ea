import { useRouterState } from '@tanstack/react-router';
import { type ReactElement, useEffect } from 'react';
import { forgetDropped, useDropped } from '../../browser/dropped-parameters';
import { formatList } from '../../format/numbers';
import { visibleText } from '../../format/visible-text';
import { Button } from '../../ui/button/button';
import { Note } from '../../ui/states/notes';
import styles from './shell.module.css';

/** Names what the address held and the page does not understand. */
export function DroppedNotice(): ReactElement {
  const names = useDropped();
  return (
    <div role="status" className={names.length > 0 ? styles.banner : undefined}>
      {names.length > 0 && (
        <Note>
          <span>
            Part of the address was not understood and was left out: {formatList(names.map(visibleText))}.
          </span>{' '}
          <Button onClick={forgetDropped}>Dismiss</Button>
        </Note>
      )}
    </div>
  );
}

/** The notice of dropped parameters is about one page. */
export function useForgottenNotices(): void {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => forgetDropped, [path]);
}
