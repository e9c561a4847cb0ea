import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../browser/pages-of-list';
import { FirstButton } from '../../frame/first-button';
import { useList } from '../../frame/use-list';
import { PageLink } from '../../ui/page-link';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Id } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { transactionList } from './list';
import { kindWords, text } from './text';
import { TransactionFilters } from './transaction-filters';
import { type WalletTransaction } from './wallet';

const words = text.transactions;

/** Every change of the balance, newest first. */
export function Transactions(): ReactElement {
  const list = useList(transactionList);
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const transactions = useRead('/wallet/transactions', { params: { query } }, { keepsPrevious: true });
  return (
    <>
      <TransactionFilters />
      <PagedTable
        of={transactions}
        pages={pages}
        lines={10}
        columns={columns}
        words={words}
        {...list.filtered}
        search={{ nothingYet: words.nothingYet, searchedTo: () => words.searchedTo }}
        firstAction={<FirstButton opens="add" needs="wallet:write" label={words.first} />}
      />
    </>
  );
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

/** The cause of the transaction. */
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
