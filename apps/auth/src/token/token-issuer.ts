import { randomBytes, randomUUID } from 'node:crypto';
import {
  accessTokenClaims,
  formatSecret,
  lifetimesMs,
  SECRET_ENTROPY_BYTES,
  secretHash,
  type Scope,
} from '@svc/access';
import { type Clock } from '@svc/kernel';
import { type Transaction } from '@svc/database';
import { type SignAccessToken } from '@svc/access/access-tokens';
import { type LockedGrant, type TokenStore } from '@svc/access/store';

export interface Issue {
  readonly grant: LockedGrant;
  /** SHA-256 of the code that the tokens come from. */
  readonly codeSha256: Uint8Array;
  readonly scopes: readonly Scope[];
  readonly refreshScopes: readonly string[];
  readonly sign: SignAccessToken;
}

interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Makes an access and a refresh token, and stores the one's `jti` and the other's SHA-256. */
export class TokenIssuer {
  constructor(
    private readonly tokens: TokenStore,
    private readonly clock: Clock,
    /** `{base_url}`: issuer and audience of the tokens. */
    private readonly baseUrl: string,
  ) {}

  async issue(
    tx: Transaction,
    { grant, codeSha256, scopes, refreshScopes, sign }: Issue,
  ): Promise<IssuedTokens> {
    const { grantId, organizationId, userId, clientId, liveRole: role } = grant;
    if (role === null) throw new Error('Nothing is issued to who is no member');
    const nowMs = this.clock.now();
    const at = { issuer: this.baseUrl, audience: this.baseUrl };
    const facts = { ...at, jti: randomUUID(), userId, organizationId, grantId, clientId, scopes, role };
    const claims = accessTokenClaims(facts, nowMs);
    const refreshToken = formatSecret('refreshToken', randomBytes(SECRET_ENTROPY_BYTES));
    const pair = {
      grantId,
      codeSha256,
      accessToken: { jti: claims.jti, scopes, expiresAt: new Date(claims.exp * 1_000) },
      refreshToken: {
        sha256: secretHash(refreshToken),
        scopes: refreshScopes,
        expiresAt: new Date(nowMs + lifetimesMs.refreshToken),
      },
    };
    await this.tokens.issue(tx, pair, new Date(nowMs));
    return { accessToken: await sign(claims), refreshToken };
  }
}
