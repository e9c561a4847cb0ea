import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { Button } from '../../ui/button/button';
import { Dialog } from '../../ui/dialog/dialog';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons/icons';
import { Result } from '../../ui/states/result';
import { type ModelRequest } from '../../calls/request';
import { RequestDetails } from './request-details';
import { requestRoute, requestsRoute } from './route';
import { text } from './text';
import { useRequest } from '../../calls/use-request';
import styles from './requests.module.css';

/** One call beside the list. "Previous" and "Next" walk the rows of the list. */
export function RequestPanel({ rows }: { readonly rows: readonly ModelRequest[] }): ReactElement {
  const { open } = requestsRoute.useSearch();
  const navigate = requestsRoute.useNavigate();
  const show = (id: string | undefined) =>
    void navigate({
      search: (before) => ({ ...before, open: id as typeof open }),
      state: true,
      replace: true,
      resetScroll: false,
    });
  const place = rows.findIndex(({ id }) => id === open);
  const previous = rows[place - 1];
  const next = place < 0 ? undefined : rows[place + 1];
  return (
    <Dialog isOpen={open !== undefined} onClose={() => show(undefined)} title={text.one.title} size="side">
      {open !== undefined && (
        <>
          <div className={styles.walk}>
            <Button
              icon={<ChevronLeftIcon />}
              isDisabled={previous === undefined}
              onClick={() => show(previous?.id)}
            >
              {text.one.previous}
            </Button>
            <Button isDisabled={next === undefined} onClick={() => show(next?.id)}>
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
