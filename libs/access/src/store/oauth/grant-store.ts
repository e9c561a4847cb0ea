import { type Database, olderThan, pageArguments, prismaOf, sliceOf, type Transaction } from '@svc/database';
import { type Prisma } from '@svc/database/rows';
import { type Page, type Slice } from '@svc/kernel';
import { scopesAfterConsent } from '../../rules/oauth/consent';
import { type Scope } from '../../rules/scopes/scopes';
import { lockGrant, type LockedGrant } from './grant-standing';
import { revokeAllOf, revokeGrantsWhere } from './token-revocation';

/** A member's consent for an app. */
export interface GrantRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly app: { readonly id: string; readonly name: string; readonly homepage: string | null };
  readonly scopes: readonly string[];
  readonly state: 'active' | 'revoked';
  readonly createdAt: Date;
  /** When tokens were last issued under it. */
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

interface Consent {
  readonly organizationId: string;
  readonly userId: string;
  readonly appId: string;
  readonly asked: readonly Scope[];
  /** The scopes consented to, among those that were asked for. */
  readonly consented: readonly Scope[];
}

/** The required holder of a grant: the user, or the organization. */
export type GrantHolder = { readonly userId: string } | { readonly organizationId: string };

export interface GrantFilter {
  readonly appId?: string | undefined;
  readonly userId?: string | undefined;
  readonly state?: GrantRecord['state'] | undefined;
}

/** The user and the app of a grant, as userinfo names them. */
interface GrantParties {
  readonly email: string;
  readonly emailVerified: boolean;
  readonly clientId: string;
}

const WITH_APP = { app: { select: { id: true, name: true, homepage: true } } } as const;
type GrantRow = Prisma.OauthGrantGetPayload<{ include: typeof WITH_APP }>;

export class GrantStore {
  constructor(private readonly database: Database) {}

  async listByUser(userId: string, page: Page): Promise<Slice<GrantRecord>> {
    return this.list({ userId }, page);
  }

  async listByOrganization(
    organizationId: string,
    page: Page,
    { appId, userId, state }: GrantFilter = {},
  ): Promise<Slice<GrantRecord>> {
    return this.list(
      {
        organizationId,
        ...(appId === undefined ? {} : { appId }),
        ...(userId === undefined ? {} : { userId }),
        ...(state === undefined ? {} : { state }),
      },
      page,
    );
  }

  /** @returns null for a grant that is unknown or of another holder. */
  async findHeld(grantId: string, holder: GrantHolder): Promise<GrantRecord | null> {
    const row = await this.database.prisma.oauthGrant.findFirst({
      where: { id: grantId, ...holder },
      include: WITH_APP,
    });
    return row === null ? null : toRecord(row);
  }

  /** @returns null where the user never consented to the app in this organization. */
  async findGrant(userId: string, organizationId: string, appId: string): Promise<GrantRecord | null> {
    const row = await this.database.prisma.oauthGrant.findUnique({
      where: { userId_organizationId_appId: { userId, organizationId, appId } },
      include: WITH_APP,
    });
    return row === null ? null : toRecord(row);
  }

  /** @returns null where there is no such user or app. */
  async partiesOf(userId: string, appId: string): Promise<GrantParties | null> {
    const { rows } = await this.database.pool.query<GrantParties>({
      name: 'grant_parties',
      text: `SELECT u.email, u.email_verified_at IS NOT NULL AS "emailVerified", a.client_id AS "clientId"
             FROM users u, oauth_apps a WHERE u.id = $1 AND a.id = $2`,
      values: [userId, appId],
    });
    return rows[0] ?? null;
  }

  /** Also {@link AuthorizationCodeStore.lock} and {@link TokenStore.lockRefreshToken} hold this lock. */
  lockGrant(tx: Transaction, grantId: string): Promise<LockedGrant | null> {
    return lockGrant(tx, grantId);
  }

  /**
   * Records a consent. A user, an organization and an app have one grant, and a revoked one becomes active again.
   * @param newGrantId for the first consent.
   * @returns null when the app has been revoked meanwhile, or the user is no longer a member.
   */
  async consent(tx: Transaction, newGrantId: string, consent: Consent): Promise<GrantRecord | null> {
    const { organizationId, userId, appId, asked, consented } = consent;
    const prisma = prismaOf(tx);
    // Locked until the transaction ends. So a concurrent revocation of the app or removal of the member either finds
    // the grant or is seen here.
    const apps = await prisma.$queryRaw<unknown[]>`
      SELECT id FROM oauth_apps WHERE id = ${appId} AND state = 'active' FOR SHARE`;
    const members = await prisma.$queryRaw<unknown[]>`
      SELECT id FROM members
      WHERE organization_id = ${organizationId} AND user_id = ${userId} AND state = 'active' FOR SHARE`;
    if (apps.length === 0 || members.length === 0) return null;
    const key = { userId, organizationId, appId };
    await prisma.oauthGrant.createMany({
      data: { id: newGrantId, ...key, scopes: [] },
      skipDuplicates: true,
    });
    const { id } = await prisma.oauthGrant.findUniqueOrThrow({
      where: { userId_organizationId_appId: key },
      select: { id: true },
    });
    const grant = await lockGrant(tx, id);
    const standing = grant?.grantState === 'active' ? grant.grantScopes : [];
    const row = await prisma.oauthGrant.update({
      where: { id },
      data: {
        scopes: [...scopesAfterConsent(standing, asked, consented)],
        state: 'active',
        revokedAt: null,
      },
      include: WITH_APP,
    });
    return toRecord(row);
  }

  /**
   * Revokes the grant with every token of it (docs/reference/oauth.md#revocation).
   * @returns null for a grant that is unknown or of another holder; `wasActive` is false when it was revoked before.
   */
  async revokeGrant(
    tx: Transaction,
    grantId: string,
    holder: GrantHolder,
    revokedAt: Date,
  ): Promise<{ readonly grant: GrantRecord; readonly wasActive: boolean } | null> {
    const prisma = prismaOf(tx);
    const where = { id: grantId, ...holder };
    if ((await prisma.oauthGrant.count({ where })) === 0) return null;
    await lockGrant(tx, grantId);
    const row = await prisma.oauthGrant.findFirstOrThrow({ where, include: WITH_APP });
    if (row.state !== 'active') return { grant: toRecord(row), wasActive: false };
    const revoked = await prisma.oauthGrant.update({
      where,
      data: { state: 'revoked', revokedAt },
      include: WITH_APP,
    });
    await revokeAllOf(tx, [grantId], revokedAt);
    return { grant: toRecord(revoked), wasActive: true };
  }

  /**
   * Must run in the transaction that removes a member, after the change of the member's row. A member who comes back
   * must consent again.
   * @returns the ids of the revoked grants.
   */
  revokeOfMember(
    tx: Transaction,
    organizationId: string,
    userId: string,
    revokedAt: Date,
  ): Promise<readonly string[]> {
    return revokeGrantsWhere(tx, { organizationId, userId }, revokedAt);
  }

  private async list(where: Prisma.OauthGrantWhereInput, page: Page): Promise<Slice<GrantRecord>> {
    const rows = await this.database.prisma.oauthGrant.findMany({
      where: { ...where, ...olderThan(page) },
      ...pageArguments(page),
      include: WITH_APP,
    });
    return sliceOf(rows, page, toRecord);
  }
}

function toRecord({ appId: _, state, ...grant }: GrantRow): GrantRecord {
  return { ...grant, state: state as GrantRecord['state'] };
}
