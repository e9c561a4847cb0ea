import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { Button } from '../../ui/button/button';
import { Dialog } from '../../ui/dialog/dialog';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons/later-icons';
import { Result } from '../../ui/states/result';
import { RequestDetails } from './request-details';
import { requestRoute } from './route';
import { text } from './text';
import { useRequest } from '../../calls/use-request';
import { useWalk, type WalkedList } from './use-walk';
import styles from './requests.module.css';

/** One call beside the list. "Previous" and "Next" walk the list, beyond its page too. */
export function RequestPanel({ list }: { readonly list: WalkedList }): ReactElement {
  const { open, previous, next, close } = useWalk(list);
  return (
    <Dialog isOpen={open !== undefined} onClose={close} title={text.one.title} size="side">
      {open !== undefined && (
        <>
          <div className={styles.walk}>
            <Button icon={<ChevronLeftIcon />} isDisabled={previous === null} onClick={() => previous?.()}>
              {text.one.previous}
            </Button>
            <Button isDisabled={next === null} onClick={() => next?.()}>
              {text.one.next} <ChevronRightIcon />
            </Button>
            <Link to={requestRoute.to} params={{ requestId: open }}>
              {text.one.openPage}
            </Link>
          </div>
          <OpenRequest key={open} id={open} />
        </>
      )}
    </Dialog>
  );
}

function OpenRequest({ id }: { readonly id: string }): ReactElement {
  const request = useRequest(id);
  return (
    <Result of={request} what={text.one.what} lines={10}>
      {(call) => <RequestDetails of={call} />}
    </Result>
  );
}
