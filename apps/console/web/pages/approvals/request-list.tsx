import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { usePeople } from '../../api/use-people';
import { useRead } from '../../api/use-api';
import { usePages } from '../../app/pages-of-list';
import { visibleText } from '../../format/visible-text';
import { Result } from '../../ui/states/result';
import { Empty, NoMatch } from '../../ui/states/states';
import { DataTable, type Column } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { Time } from '../../ui/text/time';
import { isOpen, type ApprovalRequest } from './approval';
import { Person } from './person';
import { RequestFilters } from './request-filters';
import { approvalRoute, approvalsRoute } from './route';
import { StateBadge } from './state-badge';
import { text } from './text';

const PAGE_SIZE = 50;

/** The changes that wait, or waited, newest first. */
export function RequestList(): ReactElement {
  const { state, action, awaiting } = approvalsRoute.useSearch();
  const pages = usePages();
  const query = { state, action, awaiting, limit: PAGE_SIZE, cursor: pages.cursor };
  const requests = useRead('/approval-requests', { params: { query } }, { keepsPrevious: true });
  return (
    <>
      <RequestFilters />
      <Result of={requests} lines={10}>
        {({ data, next_cursor }) => (
          <>
            <Rows rows={data} isStale={requests.isPlaceholderData} hasMore={next_cursor !== null} />
            <Pagination pages={pages} nextCursor={next_cursor} />
          </>
        )}
      </Result>
    </>
  );
}

interface RowsProps {
  readonly rows: readonly ApprovalRequest[];
  readonly isStale: boolean;
  readonly hasMore: boolean;
}

function Rows({ rows, isStale, hasMore }: RowsProps): ReactElement {
  const { state, action, awaiting } = approvalsRoute.useSearch();
  const navigate = approvalsRoute.useNavigate();
  const columns = useColumns();
  if (rows.length > 0 || hasMore)
    return (
      <DataTable
        caption={text.list.caption}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        isStale={isStale}
      />
    );
  if ([state, action, awaiting].some((value) => value !== undefined))
    return <NoMatch what={text.list.what} onClear={() => void navigate({ search: {} })} />;
  return <Empty title={text.list.emptyTitle}>{text.list.empty}</Empty>;
}

function useColumns(): readonly Column<ApprovalRequest>[] {
  const people = usePeople();
  const headers = text.list.columns;
  return [
    {
      key: 'action',
      header: headers.action,
      cell: ({ id, action }) => (
        <Link to={approvalRoute.to} params={{ approvalRequestId: id }}>
          <code>{visibleText(action)}</code>
        </Link>
      ),
    },
    { key: 'state', header: headers.state, cell: (request) => <StateBadge of={request} /> },
    {
      key: 'requestedBy',
      header: headers.requestedBy,
      cell: ({ requested_by: by }) => <Person id={by.user_id ?? by.id} people={people} />,
    },
    { key: 'approvals', header: headers.approvals, align: 'end', cell: text.list.approvals },
    { key: 'created', header: headers.created, cell: ({ created_at: at }) => <Time at={at} /> },
    {
      key: 'expires',
      header: headers.expires,
      cell: (request) => (isOpen(request) ? <Time at={request.expires_at} /> : '—'),
    },
  ];
}
