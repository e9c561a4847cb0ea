import { type ReactElement } from 'react';
import { Link } from '@tanstack/react-router';
import { visibleText } from '../../format/visible-text';
import { useSession } from '../../session/session-store';
import { Logo } from '../../ui/icons/icons';
import { SessionDialogs } from '../login/session-dialogs';
import { LogOutButton } from './log-out';
import styles from './shell.module.css';

/** Shown in place of everything when the address names an organization that the session does not have. */
export function NoOrganization({
  lost,
}: {
  readonly lost: { readonly name: string | null } | null;
}): ReactElement {
  const { organizations } = useSession();
  const sentence =
    lost === null
      ? 'You are not a member of any organization. Ask somebody who is to invite you.'
      : lost.name === null
        ? 'The organization in the address does not exist, or you are not a member of it.'
        : `You are no longer a member of ${visibleText(lost.name)}.`;
  return (
    <main className={styles.alone}>
      <Logo />
      <h1>{lost === null ? 'No organization' : 'You no longer have access'}</h1>
      <p role="status">{sentence}</p>
      {organizations.length > 0 && (
        <ul>
          {organizations.map(({ id, name }) => (
            <li key={id}>
              <Link to="/" search={{ org: id as `org_${string}` }}>
                {visibleText(name)}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <LogOutButton />
      <SessionDialogs />
    </main>
  );
}
