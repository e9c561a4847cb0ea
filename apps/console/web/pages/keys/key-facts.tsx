import { Link } from '@tanstack/react-router';
import { isId } from '@svc/kernel';
import { type ReactElement, type ReactNode } from 'react';
import { useNames } from '../../api/use-names';
import { usePeople } from '../../api/use-people';
import { Facts, Section } from '../../frame/page';
import { Person } from '../../frame/person';
import { permissionWords } from '../../session/permission-words';
import { PageLink } from '../../ui/page-link';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { type ApiKey } from './key';
import styles from './keys.module.css';
import { keyRoute } from './route';
import { text } from './text';

export function KeyFacts({ apiKey }: { readonly apiKey: ApiKey }): ReactElement {
  const words = text.key;
  const optional = [
    ...(apiKey.revoked_at === null
      ? []
      : [[words.revoked, <Time key="" at={apiKey.revoked_at} as="instant" />] as const]),
    ...(apiKey.replaces === null ? [] : [[words.replaces, <KeyLink key="" id={apiKey.replaces} />] as const]),
    ...(apiKey.replaced_by === null
      ? []
      : [[words.replacedBy, <KeyLink key="" id={apiKey.replaced_by} />] as const]),
  ];
  return (
    <Section title={words.facts}>
      <Facts
        of={[
          [words.id, <Id key="" id={apiKey.id} />],
          [words.prefix, <code key="">{apiKey.prefix}…</code>],
          [words.project, <ProjectName key="" id={apiKey.project_id} />],
          [words.created, <Time key="" at={apiKey.created_at} as="instant" />],
          [
            words.createdBy,
            apiKey.created_by === null ? words.withInstallation : <Creator key="" id={apiKey.created_by} />,
          ],
          [
            words.lastUsed,
            apiKey.last_used_at === null ? text.never : <Time key="" at={apiKey.last_used_at} />,
          ],
          [
            words.expires,
            apiKey.expires_at === null ? text.never : <Time key="" at={apiKey.expires_at} as="instant" />,
          ],
          ...optional,
          [words.owner, <Owner key="" id={apiKey.member_id} />],
          [words.scopes, <Scopes key="" of={apiKey} />],
        ]}
      />
    </Section>
  );
}

/** A user by their address, a key by its name. */
function Creator({ id }: { readonly id: string }): ReactElement {
  const people = usePeople();
  return isId('apiKey', id) ? <KeyLink id={id} /> : <Person id={id} people={people} />;
}

/** In whose budgets its calls count. */
function Owner({ id }: { readonly id: string | null }): ReactElement {
  const name = useNames('/members', [id]).get(id ?? '');
  if (id === null) return <>{text.key.nobody}</>;
  if (name === undefined) return <Id id={id} isShort />;
  return (
    <PageLink to="/members">
      <Name>{name}</Name>
    </PageLink>
  );
}

function KeyLink({ id }: { readonly id: string }): ReactElement {
  const name = useNames('/keys', [id]).get(id);
  const linkOf = (shown: ReactNode) => (
    <Link to={keyRoute.to} params={{ keyId: id }}>
      {shown}
    </Link>
  );
  return name === undefined ? <Id id={id} isShort wrap={linkOf} /> : linkOf(<Name>{name}</Name>);
}

function ProjectName({ id }: { readonly id: string | null }): ReactElement {
  const names = useNames('/projects', [id]);
  if (id === null) return <>{text.wholeOrganization}</>;
  const name = names.get(id);
  return name === undefined ? <Id id={id} isShort /> : <Name>{name}</Name>;
}

function Scopes({ of: { scopes } }: { readonly of: ApiKey }): ReactElement {
  return (
    <ul className={styles.list}>
      {scopes.map((scope) => (
        <li key={scope}>
          <code data-tip={permissionWords[scope]}>{scope}</code>
        </li>
      ))}
    </ul>
  );
}
