import { isSecret, secretHash } from '@svc/identity';
import { GatewayError, type Clock } from '@svc/kernel';
import { type TokenStore, type UnitOfWork } from '@svc/persistence';
import { type AccessTokenVerifier } from '@svc/platform/access-tokens';

export interface TokenRevocationOptions {
  readonly unitOfWork: UnitOfWork;
  readonly tokens: TokenStore;
  readonly verifier: AccessTokenVerifier;
  readonly clock: Clock;
}

/** Gives a token up (RFC 7009). */
export class TokenRevocation {
  constructor(private readonly options: TokenRevocationOptions) {}

  /**
   * A refresh token takes along what came of the same code; an access token goes alone. Nothing happens to a token that
   * is unknown, expired, or another client's.
   * @param appId the client's; null where it names none: then who has the token may give it up.
   */
  async revoke(text: string, appId: string | null): Promise<void> {
    await (isSecret('refreshToken', text)
      ? this.revokeRefreshToken(text, appId)
      : this.revokeAccessToken(text, appId));
  }

  private revokeRefreshToken(text: string, appId: string | null): Promise<void> {
    const { unitOfWork, tokens, clock } = this.options;
    return unitOfWork.transaction(async (tx) => {
      const grant = await tokens.lockRefreshToken(tx, secretHash(text));
      if (grant === null || (appId !== null && grant.appId !== appId)) return;
      await tokens.revokeOfCode(tx, grant.grantId, grant.codeSha256, new Date(clock.now()));
    });
  }

  private async revokeAccessToken(text: string, appId: string | null): Promise<void> {
    const { unitOfWork, tokens, clock } = this.options;
    const jti = await this.jtiOf(text);
    const token = jti === null ? null : await tokens.liveness(jti);
    if (token === null || (appId !== null && token.appId !== appId)) return;
    await unitOfWork.transaction((tx) => tokens.revokeAccessToken(tx, token.jti, new Date(clock.now())));
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
