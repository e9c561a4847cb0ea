import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePeople } from '../../api/use-people';
import { usePages } from '../../browser/pages-of-list';
import { visibleText } from '../../format/visible-text';
import { Person } from '../../frame/person';
import { useList } from '../../frame/use-list';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Time } from '../../ui/text/time';
import { isOpen, type ApprovalRequest } from './approval';
import { requestList } from './list';
import { RequestFilters } from './request-filters';
import { approvalRoute } from './route';
import { StateBadge } from './state-badge';
import { text } from './text';
import { titleOf } from './title';

/** The changes that wait, or waited, newest first. */
export function RequestList(): ReactElement {
  const list = useList(requestList);
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const requests = useRead('/approval-requests', { params: { query } }, { keepsPrevious: true });
  return (
    <>
      <RequestFilters />
      <PagedTable
        of={requests}
        pages={pages}
        lines={10}
        columns={useColumns()}
        words={text.list}
        {...list.filtered}
      />
    </>
  );
}

function useColumns(): readonly Column<ApprovalRequest>[] {
  const people = usePeople();
  const headers = text.list.columns;
  return [
    {
      key: 'action',
      header: headers.action,
      wraps: true,
      cell: (request) => (
        <>
          <Link to={approvalRoute.to} params={{ approvalRequestId: request.id }}>
            {titleOf(request)}
          </Link>{' '}
          <code className="muted">{visibleText(request.action)}</code>
        </>
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
