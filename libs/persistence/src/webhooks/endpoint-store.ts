import { isEnabledState, PREVIOUS_SECRET_VALIDITY_MS, type EndpointState } from '@svc/events';
import { type Page, type Slice } from '@svc/platform/api';
import { type Database } from '../database/database';
import { olderThan, pageArguments, sliceOf } from '../database/page';
import { prismaOf, type Transaction } from '../database/unit-of-work';
import { type Prisma } from '../generated/prisma/client';

/** A webhook endpoint as its organization administers it: never its signing secret. */
export interface WebhookEndpointRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly url: string;
  readonly description: string;
  /** Empty: every event. */
  readonly eventTypes: readonly string[];
  readonly state: EndpointState;
  /** Why the platform disabled it; null in every other state. */
  readonly disabledReason: string | null;
  readonly consecutiveFailures: number;
  readonly secretLast4: string;
  /** Until when the secret before the current one signs too, or did; null before the first rotation. */
  readonly previousSecretExpiresAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
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

export interface WebhookEndpointChange {
  readonly url: string;
  readonly description: string;
  readonly eventTypes: readonly string[];
  readonly state: EndpointState;
  readonly disabledReason: string | null;
  readonly consecutiveFailures: number;
}

export interface WebhookEndpointFilter {
  readonly state?: EndpointState | undefined;
}

/** What an endpoint's signing secrets, the current and the previous one, are sealed with beside the key. */
export const signingSecretContext = (endpointId: string): string => `webhook_endpoints/${endpointId}`;

/**
 * An organization's webhook endpoints. A deleted one is unknown here; its row stays for its deliveries.
 *
 * Locks are taken in the order endpoint, delivery, lane, as everywhere.
 */
export class WebhookEndpointStore {
  constructor(private readonly database: Database) {}

  async list(
    organizationId: string,
    page: Page,
    { state }: WebhookEndpointFilter,
  ): Promise<Slice<WebhookEndpointRecord>> {
    const rows = await this.database.prisma.webhookEndpoint.findMany({
      ...pageArguments(page),
      select: shown,
      where: {
        organizationId,
        deletedAt: null,
        ...olderThan(page),
        ...(state === undefined ? {} : { state }),
      },
    });
    return sliceOf(rows, page, toRecord);
  }

  find(organizationId: string, endpointId: string): Promise<WebhookEndpointRecord | null> {
    return findShown(this.database.prisma, organizationId, endpointId);
  }

  /** How many there are. The transaction has locked the organization, so that none is made meanwhile. */
  count(tx: Transaction, organizationId: string): Promise<number> {
    return prismaOf(tx).webhookEndpoint.count({ where: { organizationId, deletedAt: null } });
  }

  async create(
    tx: Transaction,
    { sealedSecret, eventTypes, ...endpoint }: NewWebhookEndpoint,
  ): Promise<WebhookEndpointRecord> {
    const data = {
      ...endpoint,
      eventTypes: [...eventTypes],
      secretCiphertext: Uint8Array.from(sealedSecret),
    };
    return toRecord(await prismaOf(tx).webhookEndpoint.create({ data, select: shown }));
  }

  /**
   * Locks the endpoint until the transaction ends. The settlement of an attempt changes its health under the same lock,
   * so of the two the later one builds on what the earlier one left: no failure is counted into a re-armed endpoint
   * from before, and no pause is undone.
   */
  async lock(
    tx: Transaction,
    organizationId: string,
    endpointId: string,
  ): Promise<WebhookEndpointRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM webhook_endpoints
      WHERE organization_id = ${organizationId} AND id = ${endpointId} FOR NO KEY UPDATE`;
    return findShown(prisma, organizationId, endpointId);
  }

  /** Must follow {@link lock}. The attempts that start from now on are made as this says. */
  async change(
    tx: Transaction,
    endpointId: string,
    { eventTypes, ...change }: WebhookEndpointChange,
  ): Promise<WebhookEndpointRecord> {
    const data = { ...change, eventTypes: [...eventTypes], enabled: isEnabledState(change.state) };
    const where = { id: endpointId };
    return toRecord(await prismaOf(tx).webhookEndpoint.update({ where, data, select: shown }));
  }

  /**
   * Must follow {@link lock}. What was the secret until now is the previous one, by the database's clock, which is also
   * what attempts are signed by. A still older one is dropped: never do more than two sign.
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
    return toRecord(
      await prisma.webhookEndpoint.findUniqueOrThrow({ where: { id: endpointId }, select: shown }),
    );
  }

  /**
   * Must follow {@link lock}. No attempt starts any more; one that is in flight ends as it ends. The dispatcher makes
   * dead what still waits, however much that is.
   */
  async delete(tx: Transaction, endpointId: string): Promise<void> {
    await prismaOf(tx)
      .$executeRaw`UPDATE webhook_endpoints SET deleted_at = clock_timestamp() WHERE id = ${endpointId}`;
  }
}

/** Every column but the secrets. */
const shown = {
  id: true,
  organizationId: true,
  url: true,
  description: true,
  eventTypes: true,
  state: true,
  disabledReason: true,
  consecutiveFailures: true,
  secretLast4: true,
  previousSecretExpiresAt: true,
  createdAt: true,
  updatedAt: true,
} as const;

type Row = Prisma.WebhookEndpointGetPayload<{ select: typeof shown }>;

async function findShown(
  prisma: Prisma.TransactionClient,
  organizationId: string,
  id: string,
): Promise<WebhookEndpointRecord | null> {
  const where = { organizationId, id, deletedAt: null };
  const row = await prisma.webhookEndpoint.findFirst({ where, select: shown });
  return row && toRecord(row);
}

const toRecord = (row: Row): WebhookEndpointRecord => ({ ...row, state: row.state as EndpointState });
