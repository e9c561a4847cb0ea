import { auditInsert, type Database, integrationTables } from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { type JsonValue } from '@svc/kernel';
import { type IntegrationKind } from '../../rules/configuration/integration-kinds';
import { type DeliveryQueue, type LockedReceiver } from '../engine/delivery-queue';
import { DeliverySchedule, type DeliveryScheduleOptions } from '../engine/delivery-schedule';
import { DeliverySettlement, type DeliverySettlementOptions } from '../engine/delivery-settlement';
import { type ClaimedDelivery, type LeasedDelivery } from '../engine/leased-delivery';

/** A delivery to an integration under a lease. */
export interface LeasedIntegrationDelivery extends LeasedDelivery {
  readonly kind: IntegrationKind;
}

/** A leased delivery to an integration, with everything needed to send it. */
export interface ClaimedIntegrationDelivery extends LeasedIntegrationDelivery, ClaimedDelivery {
  /** The rendered message, without secrets. */
  readonly body: string;
  readonly config: Readonly<Record<string, JsonValue>>;
  /** Opens with the `integrationSecretContext`. */
  readonly sealedSecret: Buffer | null;
}

interface LockedIntegration extends LockedReceiver {
  readonly kind: IntegrationKind;
  readonly name: string;
}

/** One that is disabled is told in the audit log and to the owners. */
export const integrationQueue: DeliveryQueue<LockedIntegration> = {
  tables: integrationTables,
  claimFunction: 'claim_integration_deliveries',
  callColumns: 'kind, body, config, secret_ciphertext AS "sealedSecret"',
  leasedColumns: 'r.kind',
  receiverColumns: 'kind, name',
  hasLastSuccess: true,
  tellDisabled: (integration, consecutiveFailures, newId) => [
    auditInsert(newId('auditEntry'), {
      organizationId: integration.organizationId,
      actor: { type: 'system', id: null },
      action: 'integration.disable',
      targetId: integration.id,
      changes: {
        state: { from: integration.state, to: 'disabled' },
        disabled_reason: { from: null, to: 'consecutive_failures' },
      },
      requestId: null,
    }),
    mailOwners(integration, consecutiveFailures),
  ],
};

function mailOwners({ id, organizationId, kind, name }: LockedIntegration, failures: number): Prisma.Sql {
  const subject = `[Svc] Integration disabled: ${name}`;
  const text = `The integration "${name}" (${kind}) was disabled after ${String(failures)} failures in a row. What is meant for it waits up to 30 days. Enable it again once its receiver answers.\n\nIntegration: ${id}\n`;
  return Prisma.sql`
    INSERT INTO mails (id, organization_id, member_id, subject, text)
    SELECT gen_random_uuid(), organization_id, id, ${subject}, ${text} FROM members
    WHERE organization_id = ${organizationId} AND state = 'active' AND role = 'owner'`;
}

export const integrationSchedule = (
  database: Database,
  options?: DeliveryScheduleOptions,
): DeliverySchedule<LeasedIntegrationDelivery, ClaimedIntegrationDelivery> =>
  new DeliverySchedule(database, integrationQueue, options);

export const integrationSettlement = (
  database: Database,
  options?: DeliverySettlementOptions,
): DeliverySettlement<LeasedIntegrationDelivery> =>
  new DeliverySettlement(database, integrationQueue, options);
