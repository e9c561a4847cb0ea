import { isSecret, secretHash } from '@svc/access';
import { GatewayError, type Clock } from '@svc/kernel';
import { type AuditLog, type Transaction, type UnitOfWork } from '@svc/database';
import { type AccessTokenVerifier } from '@svc/access/access-tokens';
import { type TokenStore } from '@svc/access/store';

interface TokenRevocationOptions {
  readonly unitOfWork: UnitOfWork;
  readonly tokens: TokenStore;
  readonly verifier: AccessTokenVerifier;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
}

/** The client that revokes a token. */
interface Revoker {
  /** The authenticated client; null where none is named: then any holder of the token may revoke it. */
  readonly appId: string | null;
  readonly requestId: string;
}

interface GrantOfToken {
  readonly organizationId: string;
  readonly grantId: string;
}

/** Revokes tokens (RFC 7009). */
export class TokenRevocation {
  constructor(private readonly options: TokenRevocationOptions) {}

  /**
   * A refresh token is revoked with all tokens of the same code; an access token is revoked alone. Nothing happens to a
   * token that is unknown, expired, or another client's. The audit entry is written in the same transaction.
   */
  async revoke(text: string, by: Revoker): Promise<void> {
    await (isSecret('refreshToken', text)
      ? this.revokeRefreshToken(text, by)
      : this.revokeAccessToken(text, by));
  }

  private revokeRefreshToken(text: string, by: Revoker): Promise<void> {
    const { unitOfWork, tokens, clock } = this.options;
    return unitOfWork.transaction(async (tx) => {
      const grant = await tokens.lockRefreshToken(tx, secretHash(text));
      if (grant === null || isOfOther(grant.appId, by)) return;
      const now = new Date(clock.now());
      const revoked = await tokens.revokeOfCode(tx, grant.grantId, grant.codeSha256, now);
      if (revoked > 0) await this.note(tx, grant, by, 'refresh_token_given_up');
    });
  }

  private async revokeAccessToken(text: string, by: Revoker): Promise<void> {
    const { unitOfWork, tokens, clock } = this.options;
    const jti = await this.jtiOf(text);
    const token = jti === null ? null : await tokens.liveness(jti);
    if (token === null || isOfOther(token.appId, by)) return;
    await unitOfWork.transaction(async (tx) => {
      const isRevoked = await tokens.revokeAccessToken(tx, token.jti, new Date(clock.now()));
      if (isRevoked) await this.note(tx, token, by, 'access_token_given_up');
    });
  }

  private note(
    tx: Transaction,
    { organizationId, grantId }: GrantOfToken,
    { appId, requestId }: Revoker,
    reason: 'refresh_token_given_up' | 'access_token_given_up',
  ): Promise<void> {
    return this.options.auditLog.append(tx, {
      organizationId,
      actor: appId === null ? { type: 'system', id: null } : { type: 'oauth_app', id: appId },
      action: 'grant.revoke_tokens',
      targetId: grantId,
      changes: { reason: { to: reason } },
      requestId,
    });
  }

  private async jtiOf(text: string): Promise<string | null> {
    try {
      return (await this.options.verifier.verify(text)).jti;
    } catch (error) {
      if (error instanceof GatewayError && error.reason === 'invalidToken') return null;
      throw error;
    }
  }
}

const isOfOther = (appIdOfToken: string, { appId }: Revoker): boolean =>
  appId !== null && appId !== appIdOfToken;
