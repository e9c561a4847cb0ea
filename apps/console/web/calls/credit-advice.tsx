import { type ReactElement } from 'react';
import { useCan } from '../session/organization';
import { PageLink } from '../ui/page-link';

const words = {
  add: 'Add credit',
  ask: 'Ask an owner, or the operator of this installation, for credit.',
};

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
