import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { looksEvery } from '../../deliveries/delivery';
import { DeliverySections, SendAgain } from '../../deliveries/delivery-sections';
import { DeliveryStatus } from '../../deliveries/state-badge';
import { text as deliveryText } from '../../deliveries/text';
import { Page, Section } from '../../frame/page';
import { ReadPage } from '../../frame/read-page';
import { useCan } from '../../session/organization';
import { CodeSample } from '../../ui/text/code-sample';
import { Name } from '../../ui/text/id';
import { deliveriesRoute, deliveryRoute, endpointRoute, pastedDeliveryRoute } from './route';
import { text } from './text';
import { type Delivery } from './webhook';

const words = text.delivery;
const shared = deliveryText.delivery;

export function DeliveryPage(): ReactElement {
  return <DeliveryById id={deliveryRoute.useParams().deliveryId} />;
}

export function PastedDeliveryPage(): ReactElement {
  return <DeliveryById id={pastedDeliveryRoute.useParams().deliveryId} />;
}

/** Read again while attempts are due: they appear without a reload. */
function DeliveryById({ id }: { readonly id: string }): ReactElement {
  const params = { path: { delivery_id: id } };
  const delivery = useRead('/webhooks/deliveries/{delivery_id}', { params }, { everyMs: looksEvery });
  return (
    <ReadPage of={delivery} words={shared}>
      {(data) => <OneDelivery delivery={data} />}
    </ReadPage>
  );
}

function OneDelivery({ delivery }: { readonly delivery: Delivery }): ReactElement {
  const { id, endpoint_id: endpointId } = delivery;
  const { data: endpoint } = useRead('/webhooks/{endpoint_id}', {
    params: { path: { endpoint_id: endpointId } },
  });
  const canWrite = useCan('webhook:write');
  const again = useWrite(
    (api) => api.post('/webhooks/deliveries/{delivery_id}/retry', { params: { path: { delivery_id: id } } }),
    { changes: ['/webhooks'], says: shared.sent },
  );
  return (
    <Page
      title={delivery.event_type}
      parent={
        <Link to={deliveriesRoute.to} params={{ endpointId }}>
          {deliveryText.list.title}
        </Link>
      }
      subtitle={<DeliveryStatus of={delivery} />}
      actions={canWrite && <SendAgain delivery={delivery} write={again} />}
    >
      <DeliverySections
        delivery={delivery}
        receiver={[
          words.endpoint,
          <Link key="" to={endpointRoute.to} params={{ endpointId }}>
            <Name>{endpoint?.url ?? endpointId}</Name>
          </Link>,
        ]}
        receiverState={endpoint?.state}
      />
      <Section title={words.headers}>
        <CodeSample label={words.headersLabel} code={headersOf(delivery)} />
      </Section>
    </Page>
  );
}

/** Those that are the same at each attempt, and the form of those that are not (docs/reference/webhooks.md#the-delivery-request). */
const headersOf = ({ id, event_id: event, event_type: type }: Delivery): string =>
  [
    ['Svc-Signature', words.signed],
    ['Svc-Event-Id', event],
    ['Svc-Event-Type', type],
    ['Svc-Delivery-Id', id],
    ['Svc-Delivery-Attempt', words.byAttempt],
    ['Idempotency-Key', id],
    ['User-Agent', 'Svc-Webhooks/1.0'],
    ['Content-Type', 'application/json'],
  ]
    .map(([name = '', value = '']) => `${name}: ${value}`)
    .join('\n');
