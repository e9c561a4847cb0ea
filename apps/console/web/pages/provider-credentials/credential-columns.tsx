import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { formatCount, formatList, formatPercent } from '../../format/numbers';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { type Column } from '../../ui/table/data-table';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { type Credential } from './credential';
import { CredentialActions } from './credential-actions';
import { Health } from './health';
import { credentialsRoute } from './route';
import { stateWords, text } from './text';

const tones = { active: 'good', disabled: 'warn', revoked: 'neutral', compromised: 'bad' } as const;

const columns: readonly Column<Credential>[] = [
  {
    key: 'label',
    header: text.columns.label,
    wraps: true,
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
    key: 'weight',
    header: text.columns.weight,
    hint: text.hints.weight,
    align: 'end',
    cell: ({ weight }) => (weight === 0 ? text.spare : formatCount(weight)),
  },
  {
    key: 'health',
    header: text.columns.health,
    wraps: true,
    hint: text.hints.health,
    cell: (credential) => <Health credential={credential} />,
  },
  {
    key: 'headroom',
    header: text.columns.headroom,
    hint: text.hints.headroom,
    align: 'end',
    cell: ({ headroom_bps: bps }) => (bps === null ? text.unknown : formatPercent(bps / 10_000)),
  },
  {
    key: 'rates',
    header: text.columns.rates,
    wraps: true,
    hint: text.hints.rates,
    cell: ratesOf,
  },
  {
    key: 'last4',
    header: text.columns.last4,
    cell: ({ last4 }) => (last4 === null ? text.tooShort : <code>{text.ending(last4)}</code>),
  },
  {
    key: 'rotated',
    header: text.columns.rotated,
    wraps: true,
    cell: ({ rotated_at: at }) => <TimeOrNever at={at} />,
  },
  {
    key: 'refused',
    header: text.columns.refused,
    wraps: true,
    hint: text.hints.refused,
    cell: ({ last_auth_failed_at: at }) => <TimeOrNever at={at} />,
  },
  {
    key: 'created',
    header: text.columns.created,
    wraps: true,
    cell: ({ created_at: at }) => <Time at={at} />,
  },
];

const actions: Column<Credential> = {
  key: 'actions',
  header: text.columns.actions,
  cell: (credential) => <CredentialActions credential={credential} />,
};

/** The columns of the list; a role that may only read has no actions. */
export const useCredentialColumns = (): readonly Column<Credential>[] =>
  useCan('credential:write') ? [...columns, actions] : columns;

function ratesOf({ rate_limit_rpm: rpm, rate_limit_tpm: tpm }: Credential): string {
  const rates = [
    ...(rpm === null ? [] : [text.rpm(formatCount(rpm))]),
    ...(tpm === null ? [] : [text.tpm(formatCount(tpm))]),
  ];
  return rates.length === 0 ? text.noLimit : formatList(rates);
}

const TimeOrNever = ({ at }: { readonly at: string | null }): ReactElement =>
  at === null ? <>{text.never}</> : <Time at={at} />;
