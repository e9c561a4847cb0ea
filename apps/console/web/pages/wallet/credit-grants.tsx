import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../app/pages-of-list';
import { Result } from '../../ui/states/result';
import { Empty } from '../../ui/states/states';
import { DataTable } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { Id, Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { text } from './text';

const PAGE_SIZE = 50;
const words = text.grants;

/** Credit that was added, and why. */
export function CreditGrants(): ReactElement {
  const pages = usePages();
  const query = { limit: PAGE_SIZE, cursor: pages.cursor };
  const grants = useRead('/wallet/credit-grants', { params: { query } }, { keepsPrevious: true });
  return (
    <Result of={grants} lines={6}>
      {({ data, next_cursor: next }) => (
        <>
          {data.length === 0 ? (
            <Empty title={words.emptyTitle}>{words.empty}</Empty>
          ) : (
            <DataTable
              caption={words.caption}
              rows={data}
              rowKey={({ id }) => id}
              isStale={grants.isPlaceholderData}
              columns={[
                { key: 'at', header: words.at, cell: ({ created_at: at }) => <Time at={at} /> },
                {
                  key: 'amount',
                  header: words.amount,
                  align: 'end',
                  cell: ({ amount_nanos: amount }) => <Money amount={amount} />,
                },
                {
                  key: 'reason',
                  header: words.reason,
                  wraps: true,
                  cell: ({ reason }) => <Name>{reason}</Name>,
                },
                { key: 'id', header: words.id, cell: ({ id }) => <Id id={id} isShort /> },
              ]}
            />
          )}
          <Pagination pages={pages} nextCursor={next} />
        </>
      )}
    </Result>
  );
}
