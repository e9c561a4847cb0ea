import { type Database, inPoolTransaction } from '@svc/database';
import { systemIds } from '@svc/runtime';
import { lockReceivers, ReceiverStanding, updateReceivers } from '../engine/receiver-standing';
import { integrationQueue } from './integration-queue';

const UPDATE = { name: 'note_integration_health', text: updateReceivers(integrationQueue, '$1') };

/** The health of integrations whose receivers are not sent deliveries, but telemetry. */
export class IntegrationHealth {
  constructor(
    private readonly database: Database,
    private readonly newId = systemIds,
  ) {}

  /**
   * Notes how a try to send telemetry ended: 10 failures in a row are `failing`, 25 disable the integration, a success
   * clears them (docs/reference/integrations.md#states).
   * @returns whether this failure disabled it.
   */
  noteOutcome(integrationId: string, outcome: 'acknowledged' | 'failed'): Promise<boolean> {
    return inPoolTransaction(this.database.pool, async (client) => {
      const [integration] = await lockReceivers(client, integrationQueue, [integrationId]);
      if (integration === undefined) return false;
      const standing = new ReceiverStanding(integration);
      const isNowDisabled = standing.add(outcome, 'telemetry');
      const row = standing.row(integrationQueue);
      if (row !== null) await client.query({ ...UPDATE, values: [JSON.stringify([row])] });
      if (!isNowDisabled) return false;
      const { consecutiveFailures } = standing;
      for (const { text, values } of integrationQueue.tellDisabled(
        integration,
        consecutiveFailures,
        this.newId,
      )) {
        await client.query(text, values);
      }
      return true;
    });
  }
}
