import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useNames, type NamesById } from '../../api/use-names';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { type Column } from '../../ui/table/data-table';
import { Id, Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { standingOf, type ApiKey, type Standing } from './key';
import { keyRoute } from './route';
import styles from './keys.module.css';
import { standingWords, text } from './text';

const tones = { active: 'good', expired: 'warn', revoked: 'neutral' } as const;

export function StandingBadge({ of }: { readonly of: ApiKey }): ReactElement {
  const standing: Standing = standingOf(of, new Date());
  return <Badge tone={tones[standing]}>{standingWords[standing]}</Badge>;
}

/** The columns of the list, with the names and the spend of the keys that it shows. */
export function useKeyColumns(rows: readonly ApiKey[]): readonly Column<ApiKey>[] {
  const projectNames = useNames(
    '/projects',
    rows.map(({ project_id: id }) => id),
  );
  const spend = useSpend(rows);
  return [
    { key: 'name', header: text.columns.name, cell: (key) => <NamedKey apiKey={key} /> },
    { key: 'state', header: text.columns.state, cell: (key) => <StandingBadge of={key} /> },
    { key: 'project', header: text.columns.project, cell: (key) => projectCell(key, projectNames) },
    { key: 'scopes', header: text.columns.scopes, cell: ({ scopes }) => text.someScopes(scopes) },
    { key: 'limits', header: text.columns.limits, cell: text.limits, hint: text.hints.limits },
    ...(spend === null
      ? []
      : [
          {
            key: 'spend',
            header: text.columns.spend,
            hint: text.hints.spend,
            align: 'end' as const,
            cell: ({ id }: ApiKey) => <Money amount={spend.get(id) ?? 0n} />,
          },
        ]),
    {
      key: 'lastUsed',
      header: text.columns.lastUsed,
      hint: text.hints.lastUsed,
      cell: ({ last_used_at: at }) => (at === null ? text.never : <Time at={at} />),
    },
    {
      key: 'expires',
      header: text.columns.expires,
      cell: ({ expires_at: at }) => (at === null ? text.never : <Time at={at} />),
    },
  ];
}

function NamedKey({ apiKey: { id, name, prefix, purpose } }: { readonly apiKey: ApiKey }): ReactElement {
  return (
    <>
      <Link to={keyRoute.to} params={{ keyId: id }}>
        <Name>{name}</Name>
      </Link>{' '}
      {purpose === 'playground' && <Badge>{text.playground}</Badge>}
      <code className={styles.prefix}>{prefix}…</code>
    </>
  );
}

function projectCell({ project_id: id }: ApiKey, names: NamesById): ReactElement | string {
  if (id === null) return text.wholeOrganization;
  const name = names.get(id);
  return name === undefined ? <Id id={id} isShort /> : <Name>{name}</Name>;
}

/** What each key was charged, in nanos; null while it is not known, or where the role may not know. */
function useSpend(rows: readonly ApiKey[]): ReadonlyMap<string, bigint> | null {
  const ids = rows.map(({ id }) => id);
  const canRead = useCan('usage:read');
  const query = { group_by: 'api_key', api_key_id: ids.join() };
  const { data } = useRead(
    '/usage',
    { params: { query } },
    { enabled: canRead && ids.length > 0, keepsPrevious: true },
  );
  if (data === undefined) return null;
  return new Map(data.data.map(({ api_key_id: id = '', customer_nanos }) => [id, customer_nanos]));
}
