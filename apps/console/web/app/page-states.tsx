import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { Page } from '../frame/page';
import { Button } from '../ui/button/button';
import { WarningIcon } from '../ui/icons/icons';
import { isMissingFile, reloadOnce } from '../ui/loading/missing-file';
import { ErrorState, Gone, Skeleton, State } from '../ui/states/states';

/** A page that failed while it was drawn. The others go on. */
export function PageError({ error, reset }: ErrorComponentProps): ReactElement {
  if (isMissingFile(error)) return <MissingPage />;
  return (
    <Page title="Error">
      <ErrorState error={error as Error} onRetry={reset} />
    </Page>
  );
}

/** A page of another version of the console than the one that the tab holds. */
function MissingPage(): ReactElement {
  const [isLoading] = useState(reloadOnce);
  if (isLoading) return <PagePending />;
  return (
    <Page title="Error">
      <State
        role="alert"
        icon={<WarningIcon />}
        title="This page could not be loaded."
        action={<Button onClick={() => window.location.reload()}>Reload</Button>}
      >
        <p>The console was updated, or the network failed.</p>
      </State>
    </Page>
  );
}

export function PagePending(): ReactElement {
  return <Skeleton lines={8} />;
}

export function NotFound(): ReactElement {
  return (
    <Page title="Not found">
      <Gone what="page" action={<Link to="/">Go to the first page</Link>} />
    </Page>
  );
}
