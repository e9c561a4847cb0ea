import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { PageLink } from '../../ui/page-link';
import { Result } from '../../ui/states/result';
import { Editor } from './editor';
import { ownerAddress, type PolicyOwner } from './owner';
import { usePolicy } from './policy-api';
import { Rollouts } from './rollouts';
import { routingRoute } from './route';
import styles from './routing.module.css';
import { text } from './text';
import { useOwnersLock } from './use-owners-lock';
import { Versions } from './versions';

/** As long as an editor may be behind another one before it is told. */
const READ_AGAIN_MS = 60_000;
const words = text.level;

/** The policy of one organization, project or key: to edit, and with its versions. */
export function OwnPolicy({ owner }: { readonly owner: PolicyOwner }): ReactElement {
  const policy = usePolicy(owner, { everyMs: READ_AGAIN_MS });
  const lock = useOwnersLock(owner);
  const shared = { owner, lock, onOutdated: () => void policy.refetch() };
  return (
    <>
      <div className={styles.intro}>
        <p className="muted">{words.purposes[owner.level]}</p>
        <OwnersLinks owner={owner} />
      </div>
      <Result of={policy} what={words.whats[owner.level]} lines={12}>
        {(current) => (
          <>
            <Editor {...shared} current={current} />
            {owner.level === 'organization' && <Rollouts />}
            <Versions {...shared} current={current} />
          </>
        )}
      </Result>
    </>
  );
}

/** To the project or key itself, and to what its calls stand under in all. */
function OwnersLinks({ owner }: { readonly owner: PolicyOwner }): ReactElement | null {
  const { level, id } = owner;
  if (level === 'organization') return null;
  return (
    <p className={styles.links}>
      {level === 'project' ? (
        <PageLink to="/projects/$projectId" params={{ projectId: id }}>
          {words.openProject}
        </PageLink>
      ) : (
        <PageLink to="/keys/$keyId" params={{ keyId: id }}>
          {words.openKey}
        </PageLink>
      )}
      <Link to={routingRoute.to} search={{ level: 'effective', ...ownerAddress(owner) }}>
        {words.openEffective}
      </Link>
    </p>
  );
}
