import { Link } from '@tanstack/react-router';
import { type ReactElement, type ReactNode } from 'react';
import { idOf } from '../../browser/address';
import { Named } from '../../calls/named';
import narrow from '../../calls/narrow.module.css';
import { chargeOf, type ModelRequest } from '../../calls/request';
import { StatusBadge } from '../../calls/status-badge';
import { formatDuration } from '../../format/numbers';
import { type Column } from '../../ui/table/data-table';
import { Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { Code } from './badges';
import { requestList, type RequestsAddress } from './list';
import styles from './requests.module.css';
import { requestsRoute } from './route';
import { chargeWords, text } from './text';
import { type CallNames } from './use-call-names';

const requestId = idOf('request');

/** A value that narrows the list to the calls that have it, too. */
function Narrow({
  to,
  children,
}: {
  readonly to: RequestsAddress;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <Link
      from={requestsRoute.fullPath}
      to={requestsRoute.to}
      search={(before) => ({ ...before, ...to, open: undefined })}
      className={narrow.narrow}
    >
      {children}
    </Link>
  );
}

const narrowing = (to: RequestsAddress) => (shown: ReactNode) => <Narrow to={to}>{shown}</Narrow>;

export function requestColumns({ keys, projects }: CallNames): readonly Column<ModelRequest>[] {
  const { columns } = text;
  return [
    { key: 'time', header: columns.time, place: 'topStart', cell: (row) => <OpenLink row={row} /> },
    { key: 'status', header: columns.status, place: 'bottomEnd', cell: (row) => <StatusCell row={row} /> },
    {
      key: 'model',
      header: columns.model,
      place: 'bottomStart',
      cell: ({ model }) => (
        <Narrow to={{ model: [model] }}>
          <Name>{model}</Name>
        </Narrow>
      ),
    },
    { key: 'provider', header: columns.provider, cell: (row) => <ProviderCell row={row} /> },
    {
      key: 'tokens',
      header: columns.tokens,
      align: 'end',
      cell: ({ usage: { input_tokens, cached_input_tokens, cache_write_tokens, output_tokens } }) =>
        text.tokens(input_tokens + cached_input_tokens + cache_write_tokens, output_tokens),
    },
    timed('ttft_ms', columns.firstToken),
    timed('duration_ms', columns.duration),
    {
      key: 'cost',
      header: columns.cost,
      align: 'end',
      place: 'topEnd',
      cell: (row) => <CostCell row={row} />,
    },
    {
      key: 'key',
      header: columns.key,
      cell: ({ api_key_id: id }) => (
        <Named id={id} names={keys} wrap={narrowing({ key: requestList.address.key([id]) })} />
      ),
    },
    {
      key: 'project',
      header: columns.project,
      cell: ({ project_id: id }) =>
        id === null ? (
          text.none
        ) : (
          <Named id={id} names={projects} wrap={narrowing({ project: requestList.address.project([id]) })} />
        ),
    },
  ];
}

const timed = (key: 'ttft_ms' | 'duration_ms', header: string): Column<ModelRequest> => ({
  key,
  header,
  align: 'end',
  cell: ({ [key]: ms }) => (ms === null ? text.none : formatDuration(ms)),
});

function OpenLink({ row: { id, created_at: at } }: { readonly row: ModelRequest }): ReactElement {
  return (
    <Link
      from={requestsRoute.fullPath}
      to={requestsRoute.to}
      search={(before) => ({ ...before, open: requestId([id]) })}
      state
      resetScroll={false}
    >
      <Time at={at} />
    </Link>
  );
}

const OK = 200;

function StatusCell({ row }: { readonly row: ModelRequest }): ReactElement {
  const { status, http_status: httpStatus, error_code: error } = row;
  // 200 says no more than "Succeeded".
  const isTelling = httpStatus !== null && httpStatus !== OK;
  return (
    <span className={styles.inline}>
      <Narrow to={{ status: [status] }}>
        <StatusBadge of={row} />
      </Narrow>
      {isTelling && (
        <span className={error === null ? undefined : styles.wide}>
          <Narrow to={{ http_status: [httpStatus] }}>{httpStatus}</Narrow>
        </span>
      )}
      {error !== null && (
        <Narrow to={{ error: [error] }}>
          <Code>{error}</Code>
        </Narrow>
      )}
    </span>
  );
}

function ProviderCell({ row: { provider, attempts } }: { readonly row: ModelRequest }): ReactElement {
  return (
    <span className={styles.inline}>
      {provider === null ? (
        text.none
      ) : (
        <Narrow to={{ provider: [provider] }}>
          <Name>{provider}</Name>
        </Narrow>
      )}
      {attempts.length > 1 && <Narrow to={{ attempts: 2 }}>{text.attempts(attempts.length)}</Narrow>}
    </span>
  );
}

function CostCell({ row }: { readonly row: ModelRequest }): ReactElement {
  const charge = chargeOf(row);
  if (charge === 'not_charged') return <span className={styles.charge}>{chargeWords[charge]}</span>;
  return (
    <span className={styles.amount}>
      <Money amount={row.cost.customer_nanos} /> <span className={styles.charge}>{chargeWords[charge]}</span>
    </span>
  );
}
