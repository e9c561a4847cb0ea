import { type Database, outboxInsert, webhookTables } from '@svc/database';
import { recordEvent } from '@svc/events';
import { type DeliveryQueue, type LockedReceiver } from '../engine/delivery-queue';
import { DeliverySchedule, type DeliveryScheduleOptions } from '../engine/delivery-schedule';
import { DeliverySettlement, type DeliverySettlementOptions } from '../engine/delivery-settlement';
import { type ClaimedDelivery, type LeasedDelivery } from '../engine/leased-delivery';

/** A leased delivery to a webhook endpoint, with everything needed to send it. */
export interface ClaimedWebhookDelivery extends ClaimedDelivery {
  /** The webhook body, byte for byte. */
  readonly payload: string;
  readonly url: string;
  /** The valid ones, the newest first. Each decrypts with the context `signingSecretContext`. */
  readonly sealedSecrets: readonly Buffer[];
}

interface LockedEndpoint extends LockedReceiver {
  readonly url: string;
}

const webhookQueue: DeliveryQueue<LockedEndpoint> = {
  tables: webhookTables,
  claimFunction: 'claim_deliveries',
  callColumns: `payload, url,
    array_remove(ARRAY[secret_ciphertext, previous_secret_ciphertext], NULL) AS "sealedSecrets"`,
  leasedColumns: '',
  receiverColumns: 'url',
  hasLastSuccess: false,
  tellDisabled: ({ id, organizationId, url, now }, consecutiveFailures, newId) => {
    const data = {
      endpoint_id: id,
      url,
      reason: 'consecutive_failures',
      consecutive_failures: consecutiveFailures,
    } as const;
    const type = 'webhook.endpoint_disabled';
    return [outboxInsert([recordEvent(newId('event'), type, organizationId, now.getTime(), data)])];
  },
};

export type WebhookSchedule = DeliverySchedule<LeasedDelivery, ClaimedWebhookDelivery>;

export const webhookSchedule = (database: Database, options?: DeliveryScheduleOptions): WebhookSchedule =>
  new DeliverySchedule(database, webhookQueue, options);

export const webhookSettlement = (
  database: Database,
  options?: DeliverySettlementOptions,
): DeliverySettlement => new DeliverySettlement(database, webhookQueue, options);
