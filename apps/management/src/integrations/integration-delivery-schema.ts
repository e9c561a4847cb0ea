import { z } from 'zod';
import { id, presenter, timestamp } from '@svc/api';
import { withConsoleLinks } from '@svc/kernel';
import { type IntegrationDeliveryRecord } from '@svc/deliveries/store';
import { computedFields, deliveryFields } from '../webhook-deliveries/webhook-delivery-schema';

export const integrationDelivery = z
  .object({
    id: id('webhookDelivery'),
    organization_id: id('organization'),
    integration_id: id('integration'),
    ...deliveryFields,
    payload: z.record(z.string(), z.unknown()).meta({
      description: 'The message in the form of its service, without secrets.',
      example: { text: 'Firing: Error rate (critical)' },
    }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'IntegrationDelivery', description: 'One message to one integration.' });

const withoutPayload = integrationDelivery.omit({ payload: true });
const presentFields = presenter<typeof withoutPayload, IntegrationDeliveryRecord>(
  withoutPayload,
  computedFields,
);

export const presentIntegrationDelivery = (
  record: IntegrationDeliveryRecord,
  baseUrl: string,
): z.input<typeof integrationDelivery> => ({
  ...presentFields(record),
  payload: JSON.parse(withConsoleLinks(record.body, baseUrl)) as Record<string, unknown>,
});
