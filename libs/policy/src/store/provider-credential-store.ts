import {
  type Database,
  lockOrganization,
  olderThan,
  pageArguments,
  prismaOf,
  sliceOf,
  type Transaction,
} from '@svc/database';
import { type Prisma } from '@svc/database/rows';
import { type RecordedEvent } from '@svc/events';
import { type Page, type Slice } from '@svc/kernel';

/** A provider's credential that an organization stored, still sealed. */
export interface ProviderCredentialRecord {
  readonly id: string;
  readonly provider: string;
  /** Decrypts with the context {@link credentialContext}. */
  readonly sealedSecret: Buffer;
  readonly weight: number;
  /** Calls per minute; null for no limit of its own. */
  readonly rateLimitRpm: number | null;
  /** Tokens per minute; null for no limit of its own. */
  readonly rateLimitTpm: number | null;
  /** Grows when what edges know of its health is to be forgotten. */
  readonly healthEpoch: number;
}

export type CredentialState = 'active' | 'disabled' | 'revoked' | 'compromised';

/** A provider credential as its organization administers it: every column except the secret. */
export interface ProviderCredential extends Readonly<Omit<Row, 'last4' | 'state'>> {
  /** The last four characters of the secret; null where they would reveal too much of it. */
  readonly last4: string | null;
  readonly state: CredentialState;
}

/** A secret as it is stored. */
export interface StoredSecret {
  readonly sealedSecret: Buffer;
  readonly last4: string | null;
}

/** The fields that a change can set. */
type Settings = Pick<ProviderCredential, 'label' | 'weight' | 'rateLimitRpm' | 'rateLimitTpm'>;

type NewProviderCredential = StoredSecret &
  Settings &
  Pick<ProviderCredential, 'id' | 'organizationId' | 'provider'>;

/** A credential that its provider refused. */
export interface RefusedCredential {
  readonly credentialId: string;
  readonly at: Date;
}

export interface CredentialFilter {
  readonly provider?: string | undefined;
  readonly state?: CredentialState | undefined;
}

/** The context that a credential's secret is sealed with. It binds the secret to its row. */
export const credentialContext = (credentialId: string): string => `provider_credentials/${credentialId}`;

export class ProviderCredentialStore {
  constructor(private readonly database: Database) {}

  /** The credentials for calls to providers: of each provider the newest first. */
  async activeFor(organizationId: string): Promise<readonly ProviderCredentialRecord[]> {
    const { rows } = await this.database.pool.query<ProviderCredentialRecord>({
      name: 'active_provider_credentials',
      text: `SELECT id, provider, secret_ciphertext AS "sealedSecret", weight, health_epoch AS "healthEpoch",
               rate_limit_rpm AS "rateLimitRpm", rate_limit_tpm AS "rateLimitTpm"
             FROM provider_credentials WHERE organization_id = $1 AND state = 'active'
             ORDER BY provider, id DESC`,
      values: [organizationId],
    });
    return rows;
  }

  async listCredentials(
    organizationId: string,
    page: Page,
    { provider, state }: CredentialFilter,
  ): Promise<Slice<ProviderCredential>> {
    const rows = await this.database.prisma.providerCredential.findMany({
      ...pageArguments(page),
      ...shown,
      where: {
        organizationId,
        ...olderThan(page),
        ...(provider === undefined ? {} : { provider }),
        ...(state === undefined ? {} : { state }),
      },
    });
    return sliceOf(rows, page, toRecord);
  }

  async findCredential(organizationId: string, id: string): Promise<ProviderCredential | null> {
    return findShown(this.database.prisma, organizationId, id);
  }

  /** Counts those that are active or disabled. Locks the organization until the transaction ends, so that none is added. */
  async lockCredentialCount(tx: Transaction, organizationId: string): Promise<number> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    return prisma.providerCredential.count({
      where: { organizationId, state: { in: ['active', 'disabled'] } },
    });
  }

  /** Counts the active ones of a provider. Locks the organization until the transaction ends, so that none becomes active. */
  async lockActiveCount(tx: Transaction, organizationId: string, provider: string): Promise<number> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    return prisma.providerCredential.count({ where: { organizationId, provider, state: 'active' } });
  }

  async createCredential(
    tx: Transaction,
    { sealedSecret, last4, ...credential }: NewProviderCredential,
  ): Promise<ProviderCredential> {
    const data = { ...credential, ...columnsOf({ sealedSecret, last4 }) };
    return toRecord(await prismaOf(tx).providerCredential.create({ data, ...shown }));
  }

  /** Locks the credential until the transaction ends, so that of two changes the later one sees the earlier one. */
  async lockCredential(
    tx: Transaction,
    organizationId: string,
    id: string,
  ): Promise<ProviderCredential | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM provider_credentials
      WHERE organization_id = ${organizationId} AND id = ${id} FOR UPDATE`;
    return findShown(prisma, organizationId, id);
  }

  /** Must follow {@link lockCredential}. */
  async setState(tx: Transaction, id: string, state: CredentialState): Promise<ProviderCredential> {
    const where = { id };
    return toRecord(await prismaOf(tx).providerCredential.update({ where, data: { state }, ...shown }));
  }

  /** Must follow {@link lockCredential}. What edges know of its health is forgotten. */
  async enableCredential(tx: Transaction, id: string): Promise<ProviderCredential> {
    const data = { state: 'active', healthEpoch: { increment: 1 } };
    return toRecord(await prismaOf(tx).providerCredential.update({ where: { id }, data, ...shown }));
  }

  /** Must follow {@link lockCredential}. */
  async updateCredential(tx: Transaction, id: string, data: Partial<Settings>): Promise<ProviderCredential> {
    return toRecord(await prismaOf(tx).providerCredential.update({ where: { id }, data, ...shown }));
  }

  /** Must follow {@link lockCredential}. What edges know of its health is forgotten. */
  async rotateCredential(
    tx: Transaction,
    id: string,
    secret: StoredSecret,
    rotatedAt: Date,
  ): Promise<ProviderCredential> {
    const data = { ...columnsOf(secret), rotatedAt, healthEpoch: { increment: 1 } };
    return toRecord(await prismaOf(tx).providerCredential.update({ where: { id }, data, ...shown }));
  }

  /**
   * Adds a `credential.auth_failed` to the outbox, unless it has one with this id, and notes the time at the credential.
   * The id deduplicates failures over all processes.
   * @returns whether this event was added.
   */
  async recordAuthFailure(
    { id, organizationId, type, payload }: RecordedEvent,
    { credentialId, at }: RefusedCredential,
  ): Promise<boolean> {
    const { rowCount } = await this.database.pool.query({
      name: 'record_auth_failure',
      text: `WITH refused AS (
               UPDATE provider_credentials SET last_auth_failed_at = $5
               WHERE organization_id = $2 AND id = $6
                 AND (last_auth_failed_at IS NULL OR last_auth_failed_at < $5)
             )
             INSERT INTO outbox_events (id, organization_id, type, payload) VALUES ($1, $2, $3, $4)
             ON CONFLICT (id) DO NOTHING`,
      values: [id, organizationId, type, payload, at, credentialId],
    });
    return rowCount === 1;
  }
}

/** Every column except the secret, which is never shown. */
const shown = { omit: { secretCiphertext: true } } as const;

type Row = Prisma.ProviderCredentialGetPayload<typeof shown>;

async function findShown(
  prisma: Prisma.TransactionClient,
  organizationId: string,
  id: string,
): Promise<ProviderCredential | null> {
  const row = await prisma.providerCredential.findFirst({ where: { organizationId, id }, ...shown });
  return row && toRecord(row);
}

const columnsOf = ({ sealedSecret, last4 }: StoredSecret) => ({
  secretCiphertext: Uint8Array.from(sealedSecret),
  last4: last4 ?? '',
});

const toRecord = (row: Row): ProviderCredential => ({
  ...row,
  last4: row.last4 === '' ? null : row.last4,
  state: row.state as CredentialState,
});
