import { type ReactElement } from 'react';
import { useCan } from '../session/organization';
import { PageLink } from '../ui/page-link';
import { creditWords as words } from './text';

/** Where credit comes from: the page that adds it, for a role that may; else whom to ask. */
export function CreditAdvice(): ReactElement {
  const canAdd = useCan('wallet:write');
  if (!canAdd) return <>{words.ask}</>;
  return (
    <PageLink to="/wallet" search={{ add: 'true' }}>
      {words.add}
    </PageLink>
  );
}
