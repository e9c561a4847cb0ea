import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../browser/pages-of-list';
import { DeliveryList } from '../../deliveries/delivery-list';
import { deliveryList } from '../../deliveries/list';
import { text as deliveryText } from '../../deliveries/text';
import { Page } from '../../frame/page';
import { useList } from '../../frame/use-list';
import { linkTo } from './delivery-link';
import { IntegrationName } from './integration-name';
import { integrationDeliveriesRoute, integrationRoute } from './route';
import { text } from './text';

export function DeliveriesPage(): ReactElement {
  const { integrationId } = integrationDeliveriesRoute.useParams();
  const { query: filter } = useList(deliveryList);
  const pages = usePages();
  const query = { ...filter, ...pages.query };
  const params = { path: { integration_id: integrationId }, query };
  const integration = useRead('/integrations/{integration_id}', {
    params: { path: { integration_id: integrationId } },
  });
  const list = useRead('/integrations/{integration_id}/deliveries', { params }, { keepsPrevious: true });
  return (
    <Page
      title={deliveryText.list.title}
      parent={
        <Link to={integrationRoute.to} params={{ integrationId }}>
          <IntegrationName id={integrationId} />
        </Link>
      }
    >
      <DeliveryList
        of={list}
        pages={pages}
        what={text.one.what}
        link={linkTo(integrationId)}
        receiver={integration.data?.state}
      />
    </Page>
  );
}
