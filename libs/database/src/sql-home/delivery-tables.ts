/**
 * The tables of deliveries to one sort of receivers. The engine of deliveries runs over each such set; its functions are
 * made for each by `delivery-functions.ts`.
 */
export interface DeliveryTables {
  readonly deliveries: string;
  readonly attempts: string;
  readonly lanes: string;
  readonly receivers: string;
  /** The column of deliveries and of lanes that names the receiver. */
  readonly receiverId: string;
}

export const webhookTables: DeliveryTables = {
  deliveries: 'webhook_deliveries',
  attempts: 'webhook_delivery_attempts',
  lanes: 'webhook_lanes',
  receivers: 'webhook_endpoints',
  receiverId: 'endpoint_id',
};

export const integrationTables: DeliveryTables = {
  deliveries: 'integration_deliveries',
  attempts: 'integration_delivery_attempts',
  lanes: 'integration_lanes',
  receivers: 'integrations',
  receiverId: 'integration_id',
};
