import { type ReactElement, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { ApiError, isNotFound } from '../../api/api-error';
import { Button } from '../button/button';
import { ClockIcon, InfoIcon, SearchIcon, WarningIcon } from '../icons/icons';
import { Time } from '../text/time';
import { ErrorFacts } from './error-facts';
import styles from './states.module.css';

interface StateProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly role?: 'alert' | 'status';
}

/** A sentence in the place of a page, and an action. */
export function State({ icon, title, children, action, role }: StateProps): ReactElement {
  return (
    <div className={styles.state} role={role}>
      {icon}
      <h2>{title}</h2>
      {children !== undefined && <div>{children}</div>}
      {action}
    </div>
  );
}

/** While the first answer is on its way. It appears after 150 ms, and keeps its place from the start. */
export function Skeleton({ lines = 6, label = 'Loading' }: { lines?: number; label?: string }): ReactElement {
  return (
    <div className={styles.skeleton} role="status" aria-busy="true" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} />
      ))}
    </div>
  );
}

interface EmptyProps {
  /** `No keys yet`. */
  readonly title: string;
  /** The purpose of the page. */
  readonly children: ReactNode;
  readonly icon?: ReactNode;
  readonly action?: ReactNode;
}

/** Nothing is there yet: what it is for, and one action. */
export function Empty({ title, children, icon = <InfoIcon />, action }: EmptyProps): ReactElement {
  return (
    <State icon={icon} title={title} action={action}>
      {children}
    </State>
  );
}

/** The filters leave nothing: `<NoMatch what="requests" onClear={…} />`. */
export function NoMatch({
  what,
  onClear,
}: {
  readonly what: string;
  readonly onClear: () => void;
}): ReactElement {
  return (
    <State
      icon={<SearchIcon />}
      title={`No ${what} match these filters.`}
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  );
}

/** The resource of the address does not exist, or belongs to somebody else: the API tells neither apart. */
export function Gone({ what, action }: { readonly what: string; readonly action?: ReactNode }): ReactElement {
  return (
    <State icon={<SearchIcon />} title={`This ${what} was not found`} action={action}>
      <p>It may have been deleted, or belong to another organization.</p>
    </State>
  );
}

interface ErrorStateProps {
  readonly error: Error;
  readonly onRetry?: () => void;
  /** The subject of a 404: `request`. */
  readonly what?: string;
}

/** The state that an error calls for: offline, rate limited, gone, or the error itself. */
export function ErrorState({ error, onRetry, what = 'page' }: ErrorStateProps): ReactElement {
  const isOnline = useOnline();
  if (!isOnline) return <Offline />;
  if (isNotFound(error)) return <Gone what={what} />;
  if (error instanceof ApiError && error.status === 429 && onRetry !== undefined)
    return <RateLimited error={error} onRetry={onRetry} />;
  const canRetry = onRetry !== undefined && (!(error instanceof ApiError) || error.retriable);
  return (
    <State
      role="alert"
      icon={<WarningIcon />}
      title={
        error instanceof ApiError || error.name === 'UnreachableError'
          ? error.message
          : 'Something went wrong in the console.'
      }
      action={canRetry && <Button onClick={onRetry}>Try again</Button>}
    >
      <ErrorFacts error={error} />
    </State>
  );
}

export function Offline(): ReactElement {
  return (
    <State role="status" icon={<WarningIcon />} title="You are offline">
      <p>The page continues when the network is back.</p>
    </State>
  );
}

const DEFAULT_WAIT_MS = 5000;

/** Counts down what the API asked to wait, and tries again by itself. */
function RateLimited({
  error,
  onRetry,
}: {
  readonly error: ApiError;
  readonly onRetry: () => void;
}): ReactElement {
  const seconds = useCountdown(Math.ceil((error.retryAfterMs ?? DEFAULT_WAIT_MS) / 1000), onRetry);
  return (
    <State
      icon={<ClockIcon />}
      title="Too many calls"
      action={<Button onClick={onRetry}>Try again now</Button>}
    >
      <p>{error.message}</p>
      <p aria-live="off" className="number">
        Trying again in {seconds} s
      </p>
      <ErrorFacts error={error} />
    </State>
  );
}

function useCountdown(from: number, onEnd: () => void): number {
  const [left, setLeft] = useState(from);
  useEffect(() => {
    if (left <= 0) {
      onEnd();
      return undefined;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left, onEnd]);
  return left;
}

/** Data that lags says so: `As of 12:04:05`. */
export function AsOf({ at }: { readonly at: string }): ReactElement {
  return (
    <span className={styles.stale}>
      <ClockIcon />
      <span>
        as of <Time at={at} as="clock" />
      </span>
    </span>
  );
}

const subscribeOnline = (listener: () => void): (() => void) => {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
};
const useOnline = (): boolean => useSyncExternalStore(subscribeOnline, () => navigator.onLine);
