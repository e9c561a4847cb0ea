import { z } from 'zod';
import { id, presentTime, timestamp } from '@svc/api';
import { withConsoleLinks } from '@svc/kernel';
import { type IntegrationDeliveryRecord } from '@svc/deliveries/store';
import { deliveryFields, presentDeliveryFields } from '../webhook-deliveries/webhook-delivery-schema';

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

export const presentIntegrationDelivery = (
  record: IntegrationDeliveryRecord,
  baseUrl: string,
): z.input<typeof integrationDelivery> => ({
  id: record.id,
  organization_id: record.organizationId,
  integration_id: record.integrationId,
  ...presentDeliveryFields(record),
  payload: JSON.parse(withConsoleLinks(record.body, baseUrl)) as Record<string, unknown>,
  created_at: presentTime(record.createdAt),
  updated_at: presentTime(record.updatedAt),
});
