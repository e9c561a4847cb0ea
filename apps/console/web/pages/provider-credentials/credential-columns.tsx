import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { type Column } from '../../ui/table/data-table';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { type Credential } from './credential';
import { CredentialActions } from './credential-actions';
import { credentialsRoute } from './route';
import { stateWords, text } from './text';

const tones = { active: 'good', disabled: 'warn', revoked: 'neutral', compromised: 'bad' } as const;

const columns: readonly Column<Credential>[] = [
  {
    key: 'label',
    header: text.columns.label,
    cell: ({ id, label }) => (
      <>
        <Name>{label}</Name> <Id id={id} isShort />
      </>
    ),
  },
  {
    key: 'provider',
    header: text.columns.provider,
    cell: ({ provider }) => (
      // Of this page's own address: other pages have a filter of the same name, by other words.
      <Link
        from={credentialsRoute.fullPath}
        to={credentialsRoute.to}
        search={(before) => ({ ...before, provider })}
      >
        {provider}
      </Link>
    ),
  },
  {
    key: 'state',
    header: text.columns.state,
    cell: ({ state }) => <Badge tone={tones[state]}>{stateWords[state]}</Badge>,
  },
  {
    key: 'last4',
    header: text.columns.last4,
    cell: ({ last4 }) => (last4 === null ? text.tooShort : <code>{text.ending(last4)}</code>),
  },
  {
    key: 'rotated',
    header: text.columns.rotated,
    cell: ({ rotated_at: at }) => <TimeOrNever at={at} />,
  },
  {
    key: 'refused',
    header: text.columns.refused,
    hint: text.hints.refused,
    cell: ({ last_auth_failed_at: at }) => <TimeOrNever at={at} />,
  },
  { key: 'created', header: text.columns.created, cell: ({ created_at: at }) => <Time at={at} /> },
];

const actions: Column<Credential> = {
  key: 'actions',
  header: text.columns.actions,
  cell: (credential) => <CredentialActions credential={credential} />,
};

/** The columns of the list; a role that may only read has no actions. */
export const useCredentialColumns = (): readonly Column<Credential>[] =>
  useCan('credential:write') ? [...columns, actions] : columns;

const TimeOrNever = ({ at }: { readonly at: string | null }): ReactElement =>
  at === null ? <>{text.never}</> : <Time at={at} />;
