import { type Database, prismaOf, type Transaction } from '@svc/database';
import { type StoredAccessToken } from '../../rules/oauth/judge-access';
import { type RefreshFacts } from '../../rules/oauth/judge-refresh';
import { lockGrant, type LockedGrant, STANDING_COLUMNS, STANDING_JOINS } from './grant-standing';
import { revokeTokensOf } from './token-revocation';

/** Tokens that are issued together. Their grant's row must be locked. */
interface NewTokenPair {
  readonly grantId: string;
  /** The code that they were issued for, directly or through refreshes. */
  readonly codeSha256: Uint8Array;
  readonly accessToken: {
    readonly jti: string;
    readonly scopes: readonly string[];
    readonly expiresAt: Date;
  };
  readonly refreshToken: {
    readonly sha256: Uint8Array;
    readonly scopes: readonly string[];
    readonly expiresAt: Date;
  };
}

/** A refresh token with the facts to check it by. Its grant is locked. */
type LockedRefreshToken = RefreshFacts & LockedGrant & { readonly codeSha256: Uint8Array };

/** The facts to check a management call with an access token by, and its user, app and organization. */
interface AccessTokenRecord extends StoredAccessToken {
  readonly jti: string;
  readonly grantId: string;
  readonly appId: string;
  readonly clientId: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly email: string;
}

export class TokenStore {
  constructor(private readonly database: Database) {}

  async issue(tx: Transaction, pair: NewTokenPair, issuedAt: Date): Promise<void> {
    const prisma = prismaOf(tx);
    const { grantId, accessToken, refreshToken } = pair;
    const codeSha256 = Uint8Array.from(pair.codeSha256);
    await prisma.accessToken.create({
      data: { ...accessToken, grantId, codeSha256, scopes: [...accessToken.scopes] },
    });
    const { sha256, scopes, expiresAt } = refreshToken;
    await prisma.refreshToken.create({
      data: { refreshSha256: Uint8Array.from(sha256), grantId, codeSha256, scopes: [...scopes], expiresAt },
    });
    await prisma.authorizationCode.updateMany({ where: { codeSha256 }, data: { keptUntil: expiresAt } });
    await prisma.oauthGrant.update({ where: { id: grantId }, data: { lastUsedAt: issuedAt } });
  }

  /** Finds rotated, revoked and expired ones too: the caller must check. */
  async lockRefreshToken(tx: Transaction, sha256: Uint8Array): Promise<LockedRefreshToken | null> {
    const prisma = prismaOf(tx);
    const where = { refreshSha256: Uint8Array.from(sha256) };
    const found = await prisma.refreshToken.findUnique({ where, select: { grantId: true } });
    const grant = found && (await lockGrant(tx, found.grantId));
    if (grant === null) return null;
    // Read under the grant's lock, because another request may have rotated the token while this one waited.
    const { codeSha256, scopes, expiresAt, rotatedAt, revokedAt } =
      await prisma.refreshToken.findUniqueOrThrow({ where });
    return { ...grant, codeSha256, scopes, expiresAt, rotatedAt, revokedAt };
  }

  /** @returns false when it was rotated or revoked before. */
  async rotate(tx: Transaction, sha256: Uint8Array, rotatedAt: Date): Promise<boolean> {
    const { count } = await prismaOf(tx).refreshToken.updateMany({
      where: { refreshSha256: Uint8Array.from(sha256), rotatedAt: null, revokedAt: null },
      data: { rotatedAt },
    });
    return count === 1;
  }

  /** Revokes every token of a grant whose row is locked; the consent stays. @returns how many were live. */
  revokeOfGrant(tx: Transaction, grantId: string, revokedAt: Date): Promise<number> {
    return revokeTokensOf(tx, [grantId], revokedAt);
  }

  /**
   * Revokes every token issued for a code, directly or through refreshes. Its grant's row must be locked.
   * @returns how many were live.
   */
  async revokeOfCode(
    tx: Transaction,
    grantId: string,
    codeSha256: Uint8Array,
    revokedAt: Date,
  ): Promise<number> {
    const prisma = prismaOf(tx);
    const where = { grantId, codeSha256: Uint8Array.from(codeSha256), revokedAt: null };
    const access = await prisma.accessToken.updateMany({ where, data: { revokedAt } });
    const refresh = await prisma.refreshToken.updateMany({
      where: { ...where, rotatedAt: null },
      data: { revokedAt },
    });
    return access.count + refresh.count;
  }

  /**
   * Revokes one access token; its refresh token stays valid. @returns false for one that is unknown or was revoked
   * before.
   */
  async revokeAccessToken(tx: Transaction, jti: string, revokedAt: Date): Promise<boolean> {
    const { count } = await prismaOf(tx).accessToken.updateMany({
      where: { jti, revokedAt: null },
      data: { revokedAt },
    });
    return count === 1;
  }

  /**
   * The current state of a token, its grant, app and member (docs/reference/oauth.md#access-tokens). Read on every
   * management call and never cached.
   * @returns null for a `jti` that was never issued, or was deleted after its expiry.
   */
  async liveness(jti: string): Promise<AccessTokenRecord | null> {
    const { rows } = await this.database.pool.query<AccessTokenRecord>({
      name: 'access_token_liveness',
      text: `SELECT t.jti, t.scopes, t.expires_at AS "expiresAt", t.revoked_at AS "revokedAt", g.id AS "grantId",
               a.id AS "appId", a.client_id AS "clientId", o.id AS "organizationId", u.id AS "userId", u.email,
               ${STANDING_COLUMNS}
             FROM access_tokens t JOIN oauth_grants g ON g.id = t.grant_id JOIN users u ON u.id = g.user_id
               ${STANDING_JOINS}
             WHERE t.jti = $1`,
      values: [jti],
    });
    return rows[0] ?? null;
  }
}
