import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { DeliveryTable } from '../../deliveries/delivery-table';
import { Section } from '../../frame/page';
import { useCan } from '../../session/organization';
import { PageLink } from '../../ui/page-link';
import { type Alert } from './alert';
import { callsOf } from './calls-of';
import { text } from './text';

const words = text.alert;
const FOUND_MAX = 100;
/** Events are delivered within seconds of what they tell. */
const TOLD_WITHIN_MS = 10 * 60_000;

/** The calls that the rule counted, where it counts calls. */
export function ItsCalls({ alert }: { readonly alert: Alert }): ReactElement | null {
  const canRead = useCan('usage:read');
  const search = callsOf(alert);
  if (search === null || !canRead) return null;
  return (
    <PageLink to="/requests" search={search}>
      {words.calls}
    </PageLink>
  );
}

/** The deliveries of its event to webhooks. */
export function ToldWebhooks({ alert }: { readonly alert: Alert }): ReactElement | null {
  const canRead = useCan('webhook:write');
  const until = new Date(Date.parse(alert.fired_at) + TOLD_WITHIN_MS).toISOString();
  const query = {
    event_type: 'alert.fired',
    created_after: alert.fired_at,
    created_before: until,
    limit: FOUND_MAX,
  };
  const { data } = useRead('/webhooks/deliveries', { params: { query } }, { enabled: canRead });
  const told =
    data?.data.filter(
      (delivery) => 'payload' in delivery && delivery.payload.data['alert_id'] === alert.id,
    ) ?? [];
  const endpoints = useRead(
    '/webhooks',
    { params: { query: { limit: FOUND_MAX } } },
    { enabled: told.length > 0 },
  );
  if (told.length === 0) return null;
  const endpointOf = new Map(told.map(({ id, endpoint_id: endpointId }) => [id, endpointId]));
  return (
    <Section title={words.webhooks}>
      <DeliveryTable
        caption={words.webhooks}
        rows={told}
        link={(deliveryId, time) => (
          <PageLink
            to="/webhooks/$endpointId/deliveries/$deliveryId"
            params={{ endpointId: endpointOf.get(deliveryId) ?? '', deliveryId }}
          >
            {time}
          </PageLink>
        )}
        receiverOf={(id) => endpoints.data?.data.find((one) => one.id === endpointOf.get(id))?.state}
      />
    </Section>
  );
}
