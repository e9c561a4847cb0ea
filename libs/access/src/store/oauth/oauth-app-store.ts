import {
  type Database,
  lockOrganization,
  olderThan,
  pageArguments,
  prismaOf,
  sliceOf,
  type Transaction,
} from '@svc/database';
import { type OauthApp } from '@svc/database/rows';
import { type Page, type Slice } from '@svc/kernel';
import { revokeGrantsWhere } from './token-revocation';

export interface OauthAppRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly appType: 'public' | 'confidential';
  readonly clientId: string;
  readonly hasSecret: boolean;
  readonly state: 'active' | 'revoked';
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly homepage: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly revokedAt: Date | null;
}

/** An app as the authorization server sees it. */
export interface OauthClientRecord extends OauthAppRecord {
  /** Null for a public app. */
  readonly clientSecretSha256: Uint8Array | null;
}

export interface NewOauthApp {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly clientId: string;
  /** Null for a public app, a hash for a confidential one. */
  readonly clientSecretSha256: Uint8Array | null;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly homepage: string | null;
}

export interface OauthAppChange {
  readonly name?: string;
  readonly redirectUris?: readonly string[];
  readonly scopes?: readonly string[];
  readonly homepage?: string | null;
}

/** Registered apps. Only {@link findByClientId} finds another organization's app. */
export class OauthAppStore {
  constructor(private readonly database: Database) {}

  async listApps(organizationId: string, page: Page): Promise<Slice<OauthAppRecord>> {
    const rows = await this.database.prisma.oauthApp.findMany({
      where: { organizationId, ...olderThan(page) },
      ...pageArguments(page),
    });
    return sliceOf(rows, page, toRecord);
  }

  async findApp(organizationId: string, appId: string): Promise<OauthAppRecord | null> {
    const row = await this.database.prisma.oauthApp.findFirst({ where: { id: appId, organizationId } });
    return row === null ? null : toRecord(row);
  }

  /** Finds revoked apps too: the caller must check. */
  async findByClientId(clientId: string): Promise<OauthClientRecord | null> {
    const row = await this.database.prisma.oauthApp.findUnique({ where: { clientId } });
    return row === null ? null : { ...toRecord(row), clientSecretSha256: row.clientSecretSha256 };
  }

  /** Locks the app until the transaction ends, against other changes and new consents. */
  async lockApp(tx: Transaction, organizationId: string, appId: string): Promise<OauthAppRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`
      SELECT id FROM oauth_apps WHERE id = ${appId} AND organization_id = ${organizationId} FOR NO KEY UPDATE`;
    const row = await prisma.oauthApp.findFirst({ where: { id: appId, organizationId } });
    return row === null ? null : toRecord(row);
  }

  /** Counts the active apps. Locks the organization until the transaction ends, so that none is added meanwhile. */
  async lockAppCount(tx: Transaction, organizationId: string): Promise<number> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    return prisma.oauthApp.count({ where: { organizationId, state: 'active' } });
  }

  async createApp(tx: Transaction, app: NewOauthApp): Promise<OauthAppRecord> {
    const sha256 = app.clientSecretSha256;
    const row = await prismaOf(tx).oauthApp.create({
      data: {
        ...app,
        appType: sha256 === null ? 'public' : 'confidential',
        clientSecretSha256: sha256 && Uint8Array.from(sha256),
        redirectUris: [...app.redirectUris],
        scopes: [...app.scopes],
      },
    });
    return toRecord(row);
  }

  /** Removed scopes narrow the app's tokens from the next call on. @returns null for an unknown or revoked app. */
  async updateApp(
    tx: Transaction,
    organizationId: string,
    appId: string,
    change: OauthAppChange,
  ): Promise<OauthAppRecord | null> {
    const { redirectUris, scopes, ...rest } = change;
    const [row] = await prismaOf(tx).oauthApp.updateManyAndReturn({
      where: { id: appId, organizationId, state: 'active' },
      data: {
        ...rest,
        ...(redirectUris && { redirectUris: [...redirectUris] }),
        ...(scopes && { scopes: [...scopes] }),
      },
    });
    return row === undefined ? null : toRecord(row);
  }

  /** The old secret becomes invalid at the commit. @returns null unless the app is active and confidential. */
  async rotateSecret(
    tx: Transaction,
    organizationId: string,
    appId: string,
    sha256: Uint8Array,
  ): Promise<OauthAppRecord | null> {
    const [row] = await prismaOf(tx).oauthApp.updateManyAndReturn({
      where: { id: appId, organizationId, state: 'active', appType: 'confidential' },
      data: { clientSecretSha256: Uint8Array.from(sha256) },
    });
    return row === undefined ? null : toRecord(row);
  }

  /**
   * Revokes the app with every grant and token of it (docs/reference/oauth.md#revocation).
   * @returns null for an unknown app; `wasActive` is false when it had been revoked before.
   */
  async revokeApp(
    tx: Transaction,
    organizationId: string,
    appId: string,
    revokedAt: Date,
  ): Promise<{ readonly app: OauthAppRecord; readonly wasActive: boolean } | null> {
    const app = await this.lockApp(tx, organizationId, appId);
    if (app?.state !== 'active') return app && { app, wasActive: false };
    const row = await prismaOf(tx).oauthApp.update({
      where: { id: appId },
      data: { state: 'revoked', revokedAt },
    });
    await revokeGrantsWhere(tx, { appId }, revokedAt);
    return { app: toRecord(row), wasActive: true };
  }
}

function toRecord(row: OauthApp): OauthAppRecord {
  const { clientSecretSha256, appType, state, ...rest } = row;
  return {
    ...rest,
    appType: appType as OauthAppRecord['appType'],
    state: state as OauthAppRecord['state'],
    hasSecret: clientSecretSha256 !== null,
  };
}
