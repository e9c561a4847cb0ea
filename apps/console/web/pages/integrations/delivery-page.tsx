import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { looksEvery } from '../../deliveries/delivery';
import { DeliverySections, SendAgain } from '../../deliveries/delivery-sections';
import { DeliveryStatus } from '../../deliveries/state-badge';
import { text as deliveryText } from '../../deliveries/text';
import { Page } from '../../frame/page';
import { ReadPage } from '../../frame/read-page';
import { useCan } from '../../session/organization';
import { type Delivery } from './integration';
import { IntegrationName } from './integration-name';
import { integrationDeliveriesRoute, integrationDeliveryRoute, integrationRoute } from './route';
import { text } from './text';

const shared = deliveryText.delivery;

/** Read again while attempts are due: they appear without a reload. */
export function DeliveryPage(): ReactElement {
  const { integrationId, deliveryId } = integrationDeliveryRoute.useParams();
  const params = { path: { integration_id: integrationId, delivery_id: deliveryId } };
  const delivery = useRead(
    '/integrations/{integration_id}/deliveries/{delivery_id}',
    { params },
    { everyMs: looksEvery },
  );
  return (
    <ReadPage of={delivery} words={shared}>
      {(data) => <OneDelivery delivery={data} />}
    </ReadPage>
  );
}

function OneDelivery({ delivery }: { readonly delivery: Delivery }): ReactElement {
  const { id, integration_id: integrationId } = delivery;
  const canWrite = useCan('integration:write');
  const { data: integration } = useRead('/integrations/{integration_id}', {
    params: { path: { integration_id: integrationId } },
  });
  const params = { path: { integration_id: integrationId, delivery_id: id } };
  const again = useWrite(
    (api) => api.post('/integrations/{integration_id}/deliveries/{delivery_id}/retry', { params }),
    { changes: ['/integrations'], says: shared.sent },
  );
  return (
    <Page
      title={delivery.event_type}
      parent={
        <Link to={integrationDeliveriesRoute.to} params={{ integrationId }}>
          {deliveryText.list.title}
        </Link>
      }
      subtitle={<DeliveryStatus of={delivery} />}
      actions={canWrite && <SendAgain delivery={delivery} write={again} />}
    >
      <DeliverySections
        delivery={delivery}
        receiver={[
          text.delivery.integration,
          <Link key="" to={integrationRoute.to} params={{ integrationId }}>
            <IntegrationName id={integrationId} />
          </Link>,
        ]}
        receiverState={integration?.state}
      />
    </Page>
  );
}
