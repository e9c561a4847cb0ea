import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../browser/pages-of-list';
import { DeliveryList } from '../../deliveries/delivery-list';
import { deliveryList } from '../../deliveries/list';
import { text as deliveryText } from '../../deliveries/text';
import { shortId } from '../../format/ids';
import { Page } from '../../frame/page';
import { useList } from '../../frame/use-list';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { BulkRetry } from './bulk-retry';
import { linkTo } from './delivery-link';
import { deliveriesRoute, endpointRoute } from './route';
import { text } from './text';

export function DeliveriesPage(): ReactElement {
  const { endpointId } = deliveriesRoute.useParams();
  const { query: filter } = useList(deliveryList);
  const canWrite = useCan('webhook:write');
  const pages = usePages();
  const [isBulk, setBulk] = useState(false);
  const query = { ...filter, view: 'summary' as const, ...pages.query };
  const params = { path: { endpoint_id: endpointId }, query };
  const list = useRead('/webhooks/{endpoint_id}/deliveries', { params }, { keepsPrevious: true });
  const endpoint = useRead('/webhooks/{endpoint_id}', { params: { path: { endpoint_id: endpointId } } });
  return (
    <Page
      title={deliveryText.list.title}
      parent={
        <Link to={endpointRoute.to} params={{ endpointId }}>
          {text.one.title} {shortId(endpointId)}
        </Link>
      }
      actions={canWrite && <Button onClick={() => setBulk(true)}>{text.bulk.open}</Button>}
    >
      <DeliveryList
        of={list}
        pages={pages}
        what={text.one.what}
        link={linkTo(endpointId)}
        receiver={endpoint.data?.state}
      />
      <BulkRetry endpointId={endpointId} isOpen={isBulk} onClose={() => setBulk(false)} />
    </Page>
  );
}
