import { type Database, lockOrganization, prismaOf, seenBy, type Transaction } from '@svc/database';
import { type Prisma } from '@svc/database/rows';
import { addressListOf, type AddressList, type Page, type Slice } from '@svc/kernel';
import { AdaptiveBatch } from '@svc/runtime';
import { searchKeys, type ApiKeyFilter, type ApiKeyPurpose, type ApiKeyState } from './search-keys';

/** An API key with its limits and those of its organization. Never the key itself. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly organizationId: string;
  /** Null: organization-wide. */
  readonly projectId: string | null;
  readonly scopes: readonly string[];
  readonly state: ApiKeyState;
  readonly expiresAt: Date | null;
  /** Overrides, a minute; null is the default (docs/reference/limits-and-budgets.md#overrides). */
  readonly rateLimitRpm: number | null;
  readonly rateLimitTpm: number | null;
  readonly organizationRpm: number | null;
  readonly organizationTpm: number | null;
  readonly organizationState: 'active' | 'suspended';
  /** The addresses that may show it; null: all. */
  readonly allowedAddresses: AddressList | null;
}

/** Read with a key that its administrators see. What finds it, and what its policy has, is not read. */
const shown = {
  omit: { secretSha256: true, allowedIps: true, addressRefusedAt: true },
  include: { organization: { select: { rateLimitRpm: true, rateLimitTpm: true, state: true } } },
} as const;
type Row = Prisma.ApiKeyGetPayload<typeof shown>;

type OfOrganization = Pick<ApiKeyRecord, 'organizationRpm' | 'organizationTpm' | 'organizationState'>;

/** A key as its administrators see it: each column is a field (`libs/database/prisma/schema/api-keys.prisma`). */
export interface ApiKeyDetails
  extends Readonly<Omit<Row, 'organization' | 'state' | 'purpose'>>, OfOrganization {
  readonly state: ApiKeyState;
  readonly purpose: ApiKeyPurpose;
}

/** Fields that change without being given. */
type Kept = keyof OfOrganization | 'state' | 'replacedBy' | 'lastUsedAt' | 'revokedAt' | 'updatedAt';

interface NewApiKey extends Omit<ApiKeyDetails, Kept | 'scopes'> {
  readonly secretSha256: Buffer;
  readonly scopes: readonly string[];
}

/** Fields that a key has for good. */
type Fixed =
  | 'id'
  | 'organizationId'
  | 'projectId'
  | 'prefix'
  | 'secretSha256'
  | 'scopes'
  | 'purpose'
  | 'createdBy'
  | 'memberId'
  | 'replaces'
  | 'createdAt';

const LOOKUPS_MAX = 256;

export class ApiKeyStore {
  private readonly lookups = new AdaptiveBatch<string, ApiKeyRecord | null>(
    (hashes) => this.findAll(hashes),
    { itemsMax: LOOKUPS_MAX },
  );

  constructor(private readonly database: Database) {}

  /** @param hash SHA-256 of the key, in base64. Finds revoked and expired keys too: the caller judges. */
  findBySha256(hash: string): Promise<ApiKeyRecord | null> {
    return this.lookups.add(hash);
  }

  /**
   * Looks up keys in batches, so that a flood of bad keys does not take the connections that good ones need. The hashes
   * are sent as one text, which costs the client less than an array.
   */
  private async findAll(hashes: readonly string[]): Promise<readonly (ApiKeyRecord | null)[]> {
    const { rows } = await this.database.pool.query<FoundKey>({
      name: 'find_api_keys',
      text: `SELECT encode(k.secret_sha256, 'base64') AS sha256, k.id, k.organization_id AS "organizationId",
               k.project_id AS "projectId", k.scopes, k.state,
               k.expires_at AS "expiresAt", k.rate_limit_rpm AS "rateLimitRpm", k.rate_limit_tpm AS "rateLimitTpm",
               o.rate_limit_rpm AS "organizationRpm", o.rate_limit_tpm AS "organizationTpm",
               o.state AS "organizationState", k.allowed_ips AS "allowedIps"
             FROM api_keys k JOIN organizations o ON o.id = k.organization_id
             WHERE k.secret_sha256 = ANY (
               ARRAY(SELECT decode(asked, 'base64') FROM unnest(string_to_array($1, ',')) AS asked)
             )`,
      values: [hashes.join(',')],
    });
    const found = new Map(rows.map(({ sha256, ...row }) => [sha256, recordOf(row)]));
    return hashes.map((hash) => found.get(hash) ?? null);
  }

  /**
   * Newest first. A page may hold less than its limit and not be the last.
   * @param onlyProject the one project whose keys the caller may see; null for all keys.
   */
  async listApiKeys(
    organizationId: string,
    page: Page,
    filter: ApiKeyFilter,
    onlyProject: string | null = null,
  ): Promise<Slice<ApiKeyDetails>> {
    const { items, ...rest } = await searchKeys(this.database, organizationId, page, filter, onlyProject);
    const rows = await this.database.prisma.apiKey.findMany({
      where: { id: { in: items.map(({ id }) => id) } },
      orderBy: { id: 'desc' },
      ...shown,
    });
    return { ...rest, items: rows.map(toDetails) };
  }

  /** @param onlyProject as of {@link listApiKeys}: a key outside it is not found, like another organization's. */
  async findApiKey(
    organizationId: string,
    keyId: string,
    onlyProject: string | null = null,
  ): Promise<ApiKeyDetails | null> {
    const row = await this.database.prisma.apiKey.findFirst({
      where: { ...seenBy(organizationId, onlyProject), id: keyId },
      ...shown,
    });
    return row && toDetails(row);
  }

  /**
   * Counts the keys that are neither revoked nor expired. Locks the organization until the transaction ends, so that none
   * is created meanwhile.
   */
  async lockApiKeyCount(tx: Transaction, organizationId: string, now: Date): Promise<number> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    return prisma.apiKey.count({
      where: { organizationId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    });
  }

  /** Whose keys this user or key makes: the user's own membership, or the member of the key. Null for nobody's. */
  async memberOfMaker(
    tx: Transaction,
    organizationId: string,
    makerId: string | null,
  ): Promise<string | null> {
    const [found] = await prismaOf(tx).$queryRaw<{ memberId: string | null }[]>`
      SELECT m.id AS "memberId" FROM members m WHERE m.organization_id = ${organizationId} AND m.user_id = ${makerId}
      UNION ALL
      SELECT k.member_id FROM api_keys k WHERE k.organization_id = ${organizationId} AND k.id = ${makerId}`;
    return found?.memberId ?? null;
  }

  async createApiKey(tx: Transaction, { secretSha256, scopes, ...key }: NewApiKey): Promise<ApiKeyDetails> {
    const data = { ...key, secretSha256: Uint8Array.from(secretSha256), scopes: [...scopes] };
    return toDetails(await prismaOf(tx).apiKey.create({ data, ...shown }));
  }

  /** Locks the key until the transaction ends, so that the audit entry states the right old and new values. */
  async lockApiKey(
    tx: Transaction,
    organizationId: string,
    keyId: string,
    onlyProject: string | null = null,
  ): Promise<ApiKeyDetails | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM api_keys WHERE organization_id = ${organizationId} AND id = ${keyId} FOR UPDATE`;
    const where = { ...seenBy(organizationId, onlyProject), id: keyId };
    const row = await prisma.apiKey.findFirst({ where, ...shown });
    return row && toDetails(row);
  }

  /** Changes only the given fields. Null restores a default. */
  async changeApiKey(
    tx: Transaction,
    keyId: string,
    data: Partial<Omit<NewApiKey, Fixed>>,
  ): Promise<ApiKeyDetails> {
    return toDetails(await prismaOf(tx).apiKey.update({ where: { id: keyId }, data, ...shown }));
  }

  /**
   * Sets the addresses that may show the key, as its policy has them. Call it in the transaction that writes the policy: the
   * commit tells every edge. Prisma cannot store null in a list.
   * @param allowedIps addresses and ranges that can be read; null: all addresses.
   */
  async setAllowedIps(tx: Transaction, keyId: string, allowedIps: readonly string[] | null): Promise<void> {
    await prismaOf(tx)
      .$executeRaw`UPDATE api_keys SET allowed_ips = ${allowedIps}::text[] WHERE id = ${keyId}`;
  }

  async replaceApiKey(tx: Transaction, keyId: string, replacedBy: string): Promise<void> {
    await prismaOf(tx).apiKey.update({ where: { id: keyId }, data: { replacedBy } });
  }

  /**
   * The user's live playground key, expired or not. Locks the membership until the transaction ends, so that the user
   * gets no other one meanwhile.
   */
  async lockPlayground(
    tx: Transaction,
    organizationId: string,
    userId: string,
  ): Promise<ApiKeyDetails | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`
      SELECT FROM members WHERE organization_id = ${organizationId} AND user_id = ${userId} FOR NO KEY UPDATE`;
    const [live] = await prisma.$queryRaw<{ id: string }[]>`
      SELECT id FROM api_keys
      WHERE organization_id = ${organizationId} AND created_by = ${userId} AND purpose = 'playground' AND state = 'active'
      FOR UPDATE`;
    return live === undefined ? null : this.lockApiKey(tx, organizationId, live.id);
  }

  async revokeApiKey(tx: Transaction, keyId: string, at: Date): Promise<void> {
    await prismaOf(tx).apiKey.update({ where: { id: keyId }, data: { state: 'revoked', revokedAt: at } });
  }
}

interface FoundKey extends Omit<ApiKeyRecord, 'allowedAddresses'> {
  readonly sha256: string;
  readonly allowedIps: readonly string[] | null;
}

/** The list is read once here, and not by each call of a cached record. */
const recordOf = ({ allowedIps, ...record }: Omit<FoundKey, 'sha256'>): ApiKeyRecord => ({
  ...record,
  allowedAddresses: allowedIps && addressListOf(allowedIps),
});

const toDetails = ({ organization, ...row }: Row): ApiKeyDetails => ({
  ...row,
  state: row.state as ApiKeyState,
  purpose: row.purpose as ApiKeyPurpose,
  organizationRpm: organization.rateLimitRpm,
  organizationTpm: organization.rateLimitTpm,
  organizationState: organization.state as ApiKeyRecord['organizationState'],
});
