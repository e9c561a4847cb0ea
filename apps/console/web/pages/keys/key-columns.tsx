import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useNames, type NamesById } from '../../api/use-names';
import { useKeySpend } from '../../calls/use-key-spend';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { type Column, type ColumnSort } from '../../ui/table/data-table';
import { Id, Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { standingOf, type ApiKey, type Standing } from './key';
import { keyRoute, keysRoute } from './route';
import styles from './keys.module.css';
import { standingWords, text } from './text';

export const WEEK_DAYS = 7;
const MONTH_DAYS = 30;
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
  const canReadUsage = useCan('usage:read');
  const ids = rows.map(({ id }) => id);
  const month = useKeySpend(ids, MONTH_DAYS);
  const week = useKeySpend(ids, WEEK_DAYS);
  const sort = useSpendOrder();
  return [
    { key: 'name', header: text.columns.name, wraps: true, cell: (key) => <NamedKey apiKey={key} /> },
    { key: 'state', header: text.columns.state, cell: (key) => <StandingBadge of={key} /> },
    {
      key: 'project',
      header: text.columns.project,
      wraps: true,
      cell: (key) => projectCell(key, projectNames),
    },
    { key: 'scopes', header: text.columns.scopes, cell: ({ scopes }) => text.someScopes(scopes) },
    {
      key: 'limits',
      header: text.columns.limits,
      cell: text.limits,
      hint: text.hints.limits,
      wraps: true,
    },
    ...(canReadUsage ? [{ ...spendColumn('week', week), sort }, spendColumn('month', month)] : []),
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

type Spend = ReturnType<typeof useKeySpend>;

const spendColumn = (of: 'week' | 'month', spend: Spend): Column<ApiKey> => ({
  key: of,
  header: text.columns[of],
  hint: text.hints[of],
  align: 'end',
  cell: ({ id }) => (spend === undefined ? text.unknown : <Money amount={spend.get(id) ?? 0n} />),
});

/** The order by spend, and back to the newest first. It is of all keys, so the filters that it knows nothing of are cleared. */
function useSpendOrder(): ColumnSort {
  const { order } = keysRoute.useSearch();
  const navigate = keysRoute.useNavigate();
  const isOn = order === 'spend';
  return {
    direction: isOn ? 'descending' : null,
    onToggle: () =>
      void navigate({
        search: ({ project }) => ({ project, order: isOn ? undefined : ('spend' as const) }),
        resetScroll: false,
      }),
  };
}
