import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../browser/pages-of-list';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Id, Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { text } from './text';
import { type CreditGrant } from './wallet';

const words = text.grants;

/** Credit that was added, and why. */
export function CreditGrants(): ReactElement {
  const pages = usePages();
  const grants = useRead(
    '/wallet/credit-grants',
    { params: { query: pages.query } },
    { keepsPrevious: true },
  );
  return <PagedTable of={grants} pages={pages} columns={columns} words={words} />;
}

const columns: readonly Column<CreditGrant>[] = [
  { key: 'at', header: words.at, cell: ({ created_at: at }) => <Time at={at} /> },
  {
    key: 'amount',
    header: words.amount,
    align: 'end',
    cell: ({ amount_nanos: amount }) => <Money amount={amount} />,
  },
  { key: 'reason', header: words.reason, wraps: true, cell: ({ reason }) => <Name>{reason}</Name> },
  { key: 'id', header: words.id, cell: ({ id }) => <Id id={id} isShort /> },
];
