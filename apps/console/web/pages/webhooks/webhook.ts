import { type components } from '../../api/generated/management';

export type Endpoint = components['schemas']['WebhookEndpoint'];
export type Figures = components['schemas']['WebhookFigures'];
export type Delivery = components['schemas']['WebhookDelivery'];
