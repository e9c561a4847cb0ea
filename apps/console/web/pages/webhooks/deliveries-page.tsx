import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { Page } from '../../app/page';
import { usePages } from '../../app/pages-of-list';
import { useCan } from '../../session/organization';
import { shortId } from '../../format/ids';
import { Button } from '../../ui/button/button';
import { Result } from '../../ui/states/result';
import { Empty, NoMatch } from '../../ui/states/states';
import { Pagination } from '../../ui/table/pagination';
import { BulkRetry } from './bulk-retry';
import { DeliveryFilters } from './delivery-filters';
import { DeliveryTable } from './delivery-table';
import { deliveriesRoute, endpointRoute } from './route';
import { text } from './text';

const PAGE_SIZE = 50;
const words = text.deliveries;

export function DeliveriesPage(): ReactElement {
  const { endpointId } = deliveriesRoute.useParams();
  const { status, type, after, before } = deliveriesRoute.useSearch();
  const canWrite = useCan('webhook:write');
  const pages = usePages();
  const [isBulk, setBulk] = useState(false);
  const query = {
    status,
    event_type: type,
    created_after: after,
    created_before: before,
    limit: PAGE_SIZE,
    cursor: pages.cursor,
  };
  const params = { path: { endpoint_id: endpointId }, query };
  const list = useRead('/webhooks/{endpoint_id}/deliveries', { params }, { keepsPrevious: true });
  const isFiltered = [status, type, after, before].some((value) => value !== undefined);
  return (
    <Page
      title={words.title}
      parent={
        <Link to={endpointRoute.to} params={{ endpointId }}>
          {text.one.title} {shortId(endpointId)}
        </Link>
      }
      actions={canWrite && <Button onClick={() => setBulk(true)}>{text.bulk.open}</Button>}
    >
      <DeliveryFilters />
      <Result of={list} what={text.one.what} lines={10}>
        {({ data, next_cursor: next, has_more: hasMore }) => (
          <>
            {data.length > 0 ? (
              <DeliveryTable caption={words.caption} rows={data} isStale={list.isPlaceholderData} />
            ) : (
              <NoRows hasMore={hasMore} isFiltered={isFiltered} />
            )}
            <Pagination
              pages={pages}
              nextCursor={next}
              {...(hasMore && data.length < PAGE_SIZE && { searchedTo: words.searchedTo })}
            />
          </>
        )}
      </Result>
      <BulkRetry endpointId={endpointId} isOpen={isBulk} onClose={() => setBulk(false)} />
    </Page>
  );
}

function NoRows(props: { readonly hasMore: boolean; readonly isFiltered: boolean }): ReactElement {
  const navigate = deliveriesRoute.useNavigate();
  if (props.hasMore) return <p>{words.nothingYet}</p>;
  if (props.isFiltered) return <NoMatch what={words.what} onClear={() => void navigate({ search: {} })} />;
  return <Empty title={words.emptyTitle}>{words.empty}</Empty>;
}
