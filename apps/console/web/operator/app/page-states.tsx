import { Link, type ErrorComponentProps } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { ErrorState, Gone } from '../../ui/states/states';
import { Page } from '../frame/page';

/** A page that failed while it was drawn. The others go on. */
export function PageError({ error, reset }: ErrorComponentProps): ReactElement {
  return (
    <Page title="Error">
      <ErrorState error={error as Error} onRetry={reset} />
    </Page>
  );
}

export function NotFound(): ReactElement {
  return (
    <Page title="Not found">
      <Gone what="page" action={<Link to="/">Go to the first page</Link>} />
    </Page>
  );
}
