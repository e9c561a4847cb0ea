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
import { isEnabledState, PREVIOUS_SECRET_VALIDITY_MS, type EndpointState } from '@svc/events';
import { type Page, type Slice } from '@svc/kernel';

/** A webhook endpoint as its organization administers it: never its signing secrets. */
export interface WebhookEndpointRecord extends Readonly<Omit<Row, 'eventTypes' | 'state'>> {
  readonly eventTypes: readonly string[];
  readonly state: EndpointState;
}

/** A signing secret as it is stored: sealed in the {@link signingSecretContext}. */
export interface StoredSigningSecret {
  readonly sealedSecret: Buffer;
  readonly secretLast4: string;
}

export interface NewWebhookEndpoint extends StoredSigningSecret {
  readonly id: string;
  readonly organizationId: string;
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly string[];
}

export type WebhookEndpointChange = Pick<
  WebhookEndpointRecord,
  'url' | 'description' | 'eventTypes' | 'state' | 'disabledReason' | 'consecutiveFailures'
>;

export interface WebhookEndpointFilter {
  readonly ids?: readonly string[] | undefined;
  readonly state?: EndpointState | undefined;
}

/** The context that an endpoint's current and previous signing secrets are sealed with. */
export const signingSecretContext = (endpointId: string): string => `webhook_endpoints/${endpointId}`;

/**
 * An organization's webhook endpoints. A deleted one is not found here. Its row stays for its deliveries.
 *
 * Locks are taken in the order endpoint, delivery, lane, as everywhere.
 */
export class WebhookEndpointStore {
  constructor(private readonly database: Database) {}

  async listWebhookEndpoints(
    organizationId: string,
    page: Page,
    { ids, state }: WebhookEndpointFilter,
  ): Promise<Slice<WebhookEndpointRecord>> {
    const rows = await this.database.prisma.webhookEndpoint.findMany({
      ...pageArguments(page),
      ...shown,
      where: {
        AND: [{ organizationId, ...olderThan(page) }, among(ids)],
        deletedAt: null,
        ...(state === undefined ? {} : { state }),
      },
    });
    return sliceOf(rows, page, toRecord);
  }

  findWebhookEndpoint(organizationId: string, endpointId: string): Promise<WebhookEndpointRecord | null> {
    return findShown(this.database.prisma, organizationId, endpointId);
  }

  /**
   * Counts the endpoints. Locks the organization's row until the transaction ends, so that none is created meanwhile.
   */
  async lockWebhookEndpointCount(tx: Transaction, organizationId: string): Promise<number> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    return prisma.webhookEndpoint.count({ where: { organizationId, deletedAt: null } });
  }

  async createWebhookEndpoint(
    tx: Transaction,
    { sealedSecret, eventTypes, ...endpoint }: NewWebhookEndpoint,
  ): Promise<WebhookEndpointRecord> {
    const data = {
      ...endpoint,
      eventTypes: [...eventTypes],
      secretCiphertext: Uint8Array.from(sealedSecret),
    };
    return toRecord(await prismaOf(tx).webhookEndpoint.create({ data, ...shown }));
  }

  /**
   * Locks the endpoint until the transaction ends. The settlement of an attempt changes the endpoint's health under the
   * same lock, so the later of the two sees the earlier one. A re-enabled endpoint does not count an earlier failure,
   * and no pause is undone.
   */
  async lockWebhookEndpoint(
    tx: Transaction,
    organizationId: string,
    endpointId: string,
  ): Promise<WebhookEndpointRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM webhook_endpoints
      WHERE organization_id = ${organizationId} AND id = ${endpointId} FOR NO KEY UPDATE`;
    return findShown(prisma, organizationId, endpointId);
  }

  /** Must follow {@link lockWebhookEndpoint}. Applies to attempts that start after the commit. */
  async changeWebhookEndpoint(
    tx: Transaction,
    endpointId: string,
    { eventTypes, ...change }: WebhookEndpointChange,
  ): Promise<WebhookEndpointRecord> {
    const data = { ...change, eventTypes: [...eventTypes], enabled: isEnabledState(change.state) };
    const where = { id: endpointId };
    return toRecord(await prismaOf(tx).webhookEndpoint.update({ where, data, ...shown }));
  }

  /**
   * Must follow {@link lockWebhookEndpoint}. The current secret becomes the previous one. Its expiry is by the database's clock, as is
   * the choice of secrets for an attempt. An older one is dropped, so at most two sign.
   */
  async rotateSecret(
    tx: Transaction,
    endpointId: string,
    { sealedSecret, secretLast4 }: StoredSigningSecret,
  ): Promise<WebhookEndpointRecord> {
    const prisma = prismaOf(tx);
    await prisma.$executeRaw`UPDATE webhook_endpoints SET
        previous_secret_ciphertext = secret_ciphertext,
        previous_secret_expires_at = clock_timestamp() + ${PREVIOUS_SECRET_VALIDITY_MS} * interval '1 ms',
        secret_ciphertext = ${sealedSecret}, secret_last4 = ${secretLast4}, updated_at = clock_timestamp()
      WHERE id = ${endpointId}`;
    return toRecord(await prisma.webhookEndpoint.findUniqueOrThrow({ where: { id: endpointId }, ...shown }));
  }

  /**
   * Must follow {@link lockWebhookEndpoint}. No further attempt starts; one in flight is completed. The dispatcher marks all waiting
   * deliveries as dead.
   */
  async deleteWebhookEndpoint(tx: Transaction, endpointId: string): Promise<void> {
    await prismaOf(tx)
      .$executeRaw`UPDATE webhook_endpoints SET deleted_at = clock_timestamp() WHERE id = ${endpointId}`;
  }
}

/** Every column but the secrets, and what follows from others. */
const shown = {
  omit: { secretCiphertext: true, previousSecretCiphertext: true, enabled: true, deletedAt: true },
} as const;

type Row = Prisma.WebhookEndpointGetPayload<typeof shown>;

async function findShown(
  prisma: Prisma.TransactionClient,
  organizationId: string,
  id: string,
): Promise<WebhookEndpointRecord | null> {
  const where = { organizationId, id, deletedAt: null };
  const row = await prisma.webhookEndpoint.findFirst({ where, ...shown });
  return row && toRecord(row);
}

const toRecord = (row: Row): WebhookEndpointRecord => ({ ...row, state: row.state as EndpointState });
