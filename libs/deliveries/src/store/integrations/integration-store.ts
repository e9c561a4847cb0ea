import {
  among,
  type Database,
  lockOrganization,
  olderThan,
  pageArguments,
  prismaOf,
  sliceOf,
  type Transaction,
} from '@svc/database';
import { type Prisma } from '@svc/database/rows';
import { isEnabledState, type EndpointState } from '@svc/events';
import { type JsonValue, type Page, type Slice } from '@svc/kernel';
import { type IntegrationKind } from '../../rules/configuration/integration-kinds';

/** An integration as its organization administers it: without secrets. */
export interface IntegrationRecord extends Readonly<Omit<Row, 'kind' | 'config' | 'eventTypes' | 'state'>> {
  readonly kind: IntegrationKind;
  readonly config: Readonly<Record<string, JsonValue>>;
  readonly eventTypes: readonly string[];
  readonly state: EndpointState;
}

/** A configuration as it is stored: the secret sealed with the `integrationSecretContext`. */
interface StoredConfiguration {
  readonly config: Readonly<Record<string, JsonValue>>;
  readonly sealedSecret: Buffer | null;
}

export interface NewIntegration extends StoredConfiguration {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: IntegrationKind;
  readonly name: string;
  readonly eventTypes: readonly string[];
}

export interface IntegrationChange extends Pick<
  IntegrationRecord,
  'name' | 'eventTypes' | 'state' | 'disabledReason' | 'consecutiveFailures'
> {
  /** Null leaves the configuration as it is. */
  readonly configuration: StoredConfiguration | null;
}

interface IntegrationFilter {
  readonly ids?: readonly string[] | undefined;
  readonly kind?: IntegrationKind | undefined;
  readonly state?: EndpointState | undefined;
}

/**
 * An organization's integrations. A deleted one is not found here. Its row stays for its deliveries.
 *
 * Locks are taken in the order integration, delivery, lane, as everywhere.
 */
export class IntegrationStore {
  constructor(private readonly database: Database) {}

  async listIntegrations(
    organizationId: string,
    page: Page,
    { ids, kind, state }: IntegrationFilter,
  ): Promise<Slice<IntegrationRecord>> {
    const rows = await this.database.prisma.integration.findMany({
      ...pageArguments(page),
      ...shown,
      where: {
        AND: [{ organizationId, ...olderThan(page) }, among(ids)],
        deletedAt: null,
        ...(kind === undefined ? {} : { kind }),
        ...(state === undefined ? {} : { state }),
      },
    });
    return sliceOf(rows, page, toRecord);
  }

  findIntegration(organizationId: string, id: string): Promise<IntegrationRecord | null> {
    return findShown(this.database.prisma, organizationId, id);
  }

  /** Counts the integrations, and keeps others from being created until the transaction ends. */
  async lockIntegrationCount(tx: Transaction, organizationId: string): Promise<number> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    return prisma.integration.count({ where: { organizationId, deletedAt: null } });
  }

  async createIntegration(
    tx: Transaction,
    { config, sealedSecret, eventTypes, ...integration }: NewIntegration,
  ): Promise<IntegrationRecord> {
    const data = { ...integration, eventTypes: [...eventTypes], ...columnsOf({ config, sealedSecret }) };
    return toRecord(await prismaOf(tx).integration.create({ data, ...shown }));
  }

  /** Locks the integration until the transaction ends. The settlement of an attempt changes it under the same lock. */
  async lockIntegration(
    tx: Transaction,
    organizationId: string,
    id: string,
  ): Promise<IntegrationRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM integrations
      WHERE organization_id = ${organizationId} AND id = ${id} FOR NO KEY UPDATE`;
    return findShown(prisma, organizationId, id);
  }

  /** Must follow {@link lockIntegration}. @returns null for an integration without secrets. */
  async sealedSecret(tx: Transaction, id: string): Promise<Buffer | null> {
    const select = { secretCiphertext: true };
    const row = await prismaOf(tx).integration.findUniqueOrThrow({ where: { id }, select });
    return row.secretCiphertext && Buffer.from(row.secretCiphertext);
  }

  /** Must follow {@link lockIntegration}. Applies to attempts that start after the commit. */
  async changeIntegration(
    tx: Transaction,
    id: string,
    { eventTypes, configuration, ...change }: IntegrationChange,
  ): Promise<IntegrationRecord> {
    const data = {
      ...change,
      eventTypes: [...eventTypes],
      enabled: isEnabledState(change.state),
      ...(configuration === null ? {} : columnsOf(configuration)),
    };
    return toRecord(await prismaOf(tx).integration.update({ where: { id }, data, ...shown }));
  }

  /**
   * Must follow {@link lockIntegration}. No further attempt starts; one in flight is completed. Alert rules no longer name it. The
   * dispatcher marks all waiting deliveries as dead.
   */
  async deleteIntegration(tx: Transaction, { id, organizationId }: IntegrationRecord): Promise<void> {
    const prisma = prismaOf(tx);
    await prisma.$executeRaw`UPDATE integrations SET deleted_at = clock_timestamp(), secret_ciphertext = NULL
      WHERE id = ${id}`;
    await prisma.$executeRaw`UPDATE alert_rules
      SET notify_integration_ids = array_remove(notify_integration_ids, ${id}), version = version + 1
      WHERE organization_id = ${organizationId} AND ${id} = ANY (notify_integration_ids)`;
  }
}

/** Every column but the secrets, and what follows from others. */
const shown = { omit: { secretCiphertext: true, enabled: true, deletedAt: true } } as const;

type Row = Prisma.IntegrationGetPayload<typeof shown>;

const columnsOf = ({ config, sealedSecret }: StoredConfiguration) => ({
  config: config as Prisma.InputJsonObject,
  secretCiphertext: sealedSecret && Uint8Array.from(sealedSecret),
});

async function findShown(
  prisma: Prisma.TransactionClient,
  organizationId: string,
  id: string,
): Promise<IntegrationRecord | null> {
  const where = { organizationId, id, deletedAt: null };
  const row = await prisma.integration.findFirst({ where, ...shown });
  return row && toRecord(row);
}

const toRecord = (row: Row): IntegrationRecord => ({
  ...row,
  kind: row.kind as IntegrationKind,
  config: row.config as IntegrationRecord['config'],
  state: row.state as EndpointState,
});
