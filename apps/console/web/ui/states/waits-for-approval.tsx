import { type ReactElement, type RefObject, use, useLayoutEffect } from 'react';
import { ApiError } from '../../api/api-error';
import { FormFrameContext } from '../form-frame';
import { PageLink } from '../page-link';
import { ClockIcon } from '../icons/icons';
import styles from './states.module.css';

const words = {
  title: 'Waits for approval',
  body: 'Nothing has changed yet: an approval policy holds this change until other people have approved it.',
  link: 'Open the request',
};

/** The request that a change waits in; null for every other error. */
export function approvalRequestOf(error: Error | null): string | null {
  if (!(error instanceof ApiError) || error.code !== 'approval_required') return null;
  const { error: stated } = error.body as { error?: { approval_request_id?: unknown } };
  return typeof stated?.approval_request_id === 'string' ? stated.approval_request_id : null;
}

/** A change that was taken, and waits: no mistake. What was typed is kept in the request, so leaving the form loses nothing. */
export function WaitsForApproval({
  ref,
  requestId,
}: {
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly requestId: string;
}): ReactElement {
  const frame = use(FormFrameContext);
  useLayoutEffect(() => frame?.setChanged(false), [frame, requestId]);
  return (
    <div ref={ref} role="alert" tabIndex={-1} className={styles.note}>
      <ClockIcon />
      <div>
        <p>
          <strong>{words.title}</strong>
        </p>
        <p>{words.body}</p>
        <p>
          <PageLink to="/approvals/$approvalRequestId" params={{ approvalRequestId: requestId }}>
            {words.link}
          </PageLink>
        </p>
      </div>
    </div>
  );
}
