import { Navigate } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { Empty } from '../ui/states/states';
import { Page } from './page';
import { usePageLinks } from './shell/page-links';

export function Home(): ReactElement {
  const first = usePageLinks()[0];
  if (first !== undefined) return <Navigate to={first.path} replace />;
  return (
    <Page title="Console">
      <Empty title="Nothing to show">No page of this console is open to your role.</Empty>
    </Page>
  );
}
