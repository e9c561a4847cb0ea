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

/** What the transaction was booked for: the call, the payment or the grant. */
function Source({ of: row }: { readonly of: WalletTransaction }): ReactElement {
  const { request_id: request, payment_id: payment, credit_grant_id: grant } = row;
  if (request !== null)
    return (
      <Id
        id={request}
        isShort
        wrap={(shown) => (
          <PageLink to="/requests/$requestId" params={{ requestId: request }}>
            {shown}
          </PageLink>
        )}
      />
    );
  if (payment !== null)
    return (
      <>
        {words.payment} <Id id={payment} isShort />
      </>
    );
  return grant === null ? (
    <>–</>
  ) : (
    <>
      {words.grant} <Id id={grant} isShort />
    </>
  );
}
