import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { PageLink } from '../../app/page-link';
import { usePages } from '../../app/pages-of-list';
import { Result } from '../../ui/states/result';
import { Empty, NoMatch } from '../../ui/states/states';
import { DataTable, type Column } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { Id } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { walletRoute } from './route';
import { kindWords, text } from './text';
import { TransactionFilters } from './transaction-filters';
import { type WalletTransaction } from './wallet';

const PAGE_SIZE = 50;
const words = text.transactions;

/** Every change of the balance, newest first. */
export function Transactions(): ReactElement {
  const { kind, after, before } = walletRoute.useSearch();
  const pages = usePages();
  const query = {
    kind: kind?.join(','),
    created_after: after,
    created_before: before,
    limit: PAGE_SIZE,
    cursor: pages.cursor,
  };
  const list = useRead('/wallet/transactions', { params: { query } }, { keepsPrevious: true });
  return (
    <>
      <TransactionFilters />
      <Result of={list} lines={10}>
        {({ data, next_cursor: next, has_more: hasMore }) => (
          <>
            {data.length > 0 ? (
              <DataTable
                caption={words.caption}
                columns={columns}
                rows={data}
                rowKey={({ id }) => id}
                isStale={list.isPlaceholderData}
              />
            ) : (
              <NoRows hasMore={hasMore} />
            )}
            <Pagination
              pages={pages}
              nextCursor={next}
              {...(hasMore && data.length < PAGE_SIZE && { searchedTo: words.searchedTo })}
            />
          </>
        )}
      </Result>
    </>
  );
}

function NoRows({ hasMore }: { readonly hasMore: boolean }): ReactElement {
  const { kind, after, before } = walletRoute.useSearch();
  const navigate = walletRoute.useNavigate();
  if (hasMore) return <p>{words.nothingYet}</p>;
  if ([kind, after, before].some((value) => value !== undefined))
    return <NoMatch what={words.what} onClear={() => void navigate({ search: {} })} />;
  return <Empty title={words.emptyTitle}>{words.empty}</Empty>;
}

const columns: readonly Column<WalletTransaction>[] = [
  { key: 'at', header: words.at, cell: ({ created_at: at }) => <Time at={at} /> },
  { key: 'kind', header: words.kind, cell: ({ kind }) => kindWords[kind] },
  {
    key: 'amount',
    header: words.amount,
    align: 'end',
    cell: ({ amount_nanos: amount }) => <Money amount={amount} />,
  },
  {
    key: 'after',
    header: words.after,
    hint: words.afterHint,
    align: 'end',
    cell: ({ balance_after_nanos: after }) => (after === null ? words.notTold : <Money amount={after} />),
  },
  { key: 'source', header: words.source, cell: (row) => <Source of={row} /> },
  { key: 'id', header: words.id, cell: ({ id }) => <Id id={id} isShort /> },
];

/** What the transaction was booked for. */
function Source({ of: row }: { readonly of: WalletTransaction }): ReactElement {
  const { payment_id: payment, credit_grant_id: grant } = row;
  const { request_id: requestId, fine_tuning_job_id: jobId, fine_tuning_endpoint_id: endpointId } = row;
  if (requestId !== null) return <LinkedId to="/requests/$requestId" params={{ requestId }} />;
  if (jobId !== null) return <LinkedId to="/fine-tuning/jobs/$jobId" params={{ jobId }} />;
  if (endpointId !== null)
    return <LinkedId to="/fine-tuning/endpoints/$endpointId" params={{ endpointId }} />;
  const [kind, id] = payment === null ? [words.grant, grant] : [words.payment, payment];
  return id === null ? (
    <>–</>
  ) : (
    <>
      {kind} <Id id={id} isShort />
    </>
  );
}

interface LinkedIdProps {
  readonly to: string;
  /** The id, by the parameter's name. */
  readonly params: Readonly<Record<string, string>>;
}

const LinkedId = (page: LinkedIdProps): ReactElement => (
  <Id
    id={Object.values(page.params)[0] ?? ''}
    isShort
    wrap={(shown) => <PageLink {...page}>{shown}</PageLink>}
  />
);
