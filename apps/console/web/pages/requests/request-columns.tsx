import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useMemo } from 'react';
import { idOf } from '../../browser/address';
import { searchLinks, type SearchLinks } from '../../browser/search-links';
import { Named } from '../../calls/named';
import { narrowingLinks, type NarrowingLink } from '../../calls/narrowing-links';
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

type Narrow = NarrowingLink<RequestsAddress>;

/** The same columns while neither the names nor the address change, so that rows that are shown are not drawn again. */
export function useRequestColumns({ keys, projects }: CallNames): readonly Column<ModelRequest>[] {
  const search = requestsRoute.useSearch();
  const navigate = useNavigate();
  return useMemo(
    () => requestColumns({ keys, projects }, searchLinks(navigate, search)),
    [keys, projects, navigate, search],
  );
}

const { columns } = text;

const requestColumns = (
  names: CallNames,
  linkTo: SearchLinks<RequestsAddress>,
): readonly Column<ModelRequest>[] => {
  const narrow: Narrow = narrowingLinks((to) => linkTo({ ...to, open: undefined }));
  return [...callColumns(linkTo, narrow), ...figureColumns, ...ownerColumns(names, narrow)];
};

const callColumns = (
  linkTo: SearchLinks<RequestsAddress>,
  narrow: Narrow,
): readonly Column<ModelRequest>[] => [
  {
    key: 'time',
    header: columns.time,
    place: 'topStart',
    cell: ({ id, created_at: at }) => (
      <a {...linkTo({ open: requestId([id]) }, true)}>
        <Time at={at} />
      </a>
    ),
  },
  {
    key: 'status',
    header: columns.status,
    place: 'bottomEnd',
    cell: (row) => <StatusCell row={row} narrow={narrow} />,
  },
  {
    key: 'model',
    header: columns.model,
    place: 'bottomStart',
    cell: ({ model }) => narrow({ model: [model] }, <Name>{model}</Name>),
  },
  { key: 'provider', header: columns.provider, cell: (row) => <ProviderCell row={row} narrow={narrow} /> },
];

const ownerColumns = ({ keys, projects }: CallNames, narrow: Narrow): readonly Column<ModelRequest>[] => [
  {
    key: 'key',
    header: columns.key,
    cell: ({ api_key_id: id }) => (
      <Named id={id} names={keys} wrap={(shown) => narrow({ key: requestList.address.key([id]) }, shown)} />
    ),
  },
  {
    key: 'project',
    header: columns.project,
    cell: ({ project_id: id }) =>
      id === null ? (
        text.none
      ) : (
        <Named
          id={id}
          names={projects}
          wrap={(shown) => narrow({ project: requestList.address.project([id]) }, shown)}
        />
      ),
  },
];

const timed = (key: 'ttft_ms' | 'duration_ms', header: string): Column<ModelRequest> => ({
  key,
  header,
  align: 'end',
  cell: ({ [key]: ms }) => (ms === null ? text.none : formatDuration(ms)),
});

const figureColumns: readonly Column<ModelRequest>[] = [
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
];

interface CellProps {
  readonly row: ModelRequest;
  readonly narrow: Narrow;
}

const OK = 200;

function StatusCell({ row, narrow }: CellProps): ReactElement {
  const { status, http_status: httpStatus, error_code: error } = row;
  // 200 says no more than "Succeeded".
  const isTelling = httpStatus !== null && httpStatus !== OK;
  return (
    <span className={styles.inline}>
      {narrow({ status: [status] }, <StatusBadge of={row} />)}
      {isTelling && (
        <span className={error === null ? undefined : styles.wide}>
          {narrow({ http_status: [httpStatus] }, httpStatus)}
        </span>
      )}
      {error !== null && narrow({ error: [error] }, <Code>{error}</Code>)}
    </span>
  );
}

function ProviderCell({ row: { provider, attempts }, narrow }: CellProps): ReactElement {
  return (
    <span className={styles.inline}>
      {provider === null ? text.none : narrow({ provider: [provider] }, <Name>{provider}</Name>)}
      {attempts.length > 1 && narrow({ attempts: 2 }, text.attempts(attempts.length))}
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
