import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { stringifyExact } from '../../api/exact-json';
import { useRead, useWrite } from '../../api/use-api';
import { Facts, Page, Section } from '../../app/page';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { Result } from '../../ui/states/result';
import { CodeSample } from '../../ui/text/code-sample';
import { Id, Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { Attempts } from './attempts';
import { deliveriesRoute, deliveryRoute, endpointRoute, pastedDeliveryRoute } from './route';
import { DeliveryStatus } from './state-badge';
import { text } from './text';
import { useDelivery } from './use-delivery';
import { type Delivery } from './webhook';

const words = text.delivery;

export function DeliveryPage(): ReactElement {
  return <DeliveryById id={deliveryRoute.useParams().deliveryId} />;
}

export function PastedDeliveryPage(): ReactElement {
  return <DeliveryById id={pastedDeliveryRoute.useParams().deliveryId} />;
}

function DeliveryById({ id }: { readonly id: string }): ReactElement {
  const delivery = useDelivery(id);
  const { data } = delivery;
  if (data !== undefined) return <OneDelivery delivery={data} />;
  return (
    <Page title={words.title}>
      <Result of={delivery} what={words.what} lines={8}>
        {() => null}
      </Result>
    </Page>
  );
}

function OneDelivery({ delivery }: { readonly delivery: Delivery }): ReactElement {
  const { id, endpoint_id: endpointId, next_attempt_at: next } = delivery;
  const canWrite = useCan('webhook:write');
  return (
    <Page
      title={delivery.event_type}
      parent={
        <Link to={deliveriesRoute.to} params={{ endpointId }}>
          {text.deliveries.title}
        </Link>
      }
      subtitle={<DeliveryStatus of={delivery} />}
      actions={canWrite && <SendAgain delivery={delivery} />}
    >
      <Section title={words.facts}>
        <Facts
          of={[
            [words.id, <Id key="" id={id} />],
            [words.event, <Id key="" id={delivery.event_id} />],
            [words.endpoint, <EndpointName key="" id={endpointId} />],
            [words.created, <Time key="" at={delivery.created_at} as="instant" />],
            [words.due, next === null ? words.notDue : <Time key="" at={next} />],
          ]}
        />
      </Section>
      <Section title={words.attempts}>
        <Attempts of={delivery.attempts_log} />
      </Section>
      <Section title={words.body}>
        <CodeSample label={words.bodyLabel} code={stringifyExact(delivery.payload, 2)} />
      </Section>
      <Section title={words.headers}>
        <CodeSample label={words.headersLabel} code={headersOf(delivery)} />
      </Section>
    </Page>
  );
}

function EndpointName({ id }: { readonly id: string }): ReactElement {
  const { data } = useRead('/webhooks/{endpoint_id}', { params: { path: { endpoint_id: id } } });
  return (
    <Link to={endpointRoute.to} params={{ endpointId: id }}>
      <Name>{data?.url ?? id}</Name>
    </Link>
  );
}

function SendAgain({ delivery: { id, status } }: { readonly delivery: Delivery }): ReactElement {
  const params = { path: { delivery_id: id } };
  const again = useWrite((api) => api.post('/webhooks/deliveries/{delivery_id}/retry', { params }), {
    changes: ['/webhooks'],
    says: words.sent,
  });
  return (
    <>
      <Button
        isBusy={again.isBusy}
        disabledReason={status === 'queued' ? words.queuedReason : null}
        onClick={() => void again.run(undefined)}
      >
        {words.again}
      </Button>
      {again.error !== null && <span role="alert">{again.error.message}</span>}
    </>
  );
}

/** Those that are the same at each attempt, and the form of those that are not (docs/webhooks.md#the-delivery). */
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
