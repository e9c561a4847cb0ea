import { judgeCode, judgeRefresh, secretHash, type Scope } from '@svc/access';
import { type Clock } from '@svc/kernel';
import { type AuditEntry, type AuditLog, type Transaction, type UnitOfWork } from '@svc/database';
import { type AccessTokenSigner, type SignAccessToken } from '@svc/access/access-tokens';
import {
  type AuthorizationCodeStore,
  type LockedGrant,
  type OauthClientRecord,
  type TokenStore,
} from '@svc/access/store';
import { answerByLibrary, refusal, type GrantedTokens, type TokenAnswer } from './oauth-library';
import { type TokenIssuer } from './token-issuer';
import { type TokenParameters } from './token-parameters';

interface TokenRequestsOptions {
  readonly unitOfWork: UnitOfWork;
  readonly codes: AuthorizationCodeStore;
  readonly tokens: TokenStore;
  readonly signer: AccessTokenSigner;
  readonly issuer: TokenIssuer;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
}

type Parameters<GrantType> = Extract<TokenParameters, { grantType: GrantType }>;

/** The context of a token request beside its parameters. */
interface Context {
  readonly tx: Transaction;
  readonly client: OauthClientRecord;
  readonly sign: SignAccessToken;
  readonly requestId: string;
  readonly now: Date;
}

/** Exchanges codes and refreshes tokens (docs/reference/oauth.md#tokens). */
export class TokenRequests {
  constructor(private readonly options: TokenRequestsOptions) {}

  /**
   * One transaction per request. Everything checked is read under the grant's lock. A refusal commits too, with its
   * revocations.
   * @returns the token response, or an error by its RFC 6749 code.
   */
  async answer(
    client: OauthClientRecord,
    parameters: TokenParameters,
    requestId: string,
  ): Promise<TokenAnswer> {
    const { signer, unitOfWork, clock } = this.options;
    const sign = await signer.withKey();
    return unitOfWork.transaction((tx) => {
      const context = { tx, client, sign, requestId, now: new Date(clock.now()) };
      return answerByLibrary(client.clientId, parameters.grantType, () =>
        parameters.grantType === 'authorization_code'
          ? this.exchange(context, parameters)
          : this.refresh(context, parameters),
      );
    });
  }

  /** @throws OAuthError of the library. */
  private async exchange(
    context: Context,
    { code, redirectUri, codeVerifier }: Parameters<'authorization_code'>,
  ): Promise<GrantedTokens> {
    const { codes, tokens } = this.options;
    const { tx, client, now } = context;
    const codeSha256 = secretHash(code);
    const grant = await codes.lockCode(tx, codeSha256);
    const presented = { appId: client.id, redirectUri, codeVerifier };
    const decision = judgeCode(grant, presented, now.getTime());
    if (grant === null) throw refusal(decision);
    if (decision.kind === 'refuse-and-revoke') {
      const revoked = await tokens.revokeOfCode(tx, grant.grantId, codeSha256, now);
      if (revoked > 0) await this.noteReuse(context, grant, 'code_replayed');
    }
    const isUsedUp = decision.kind === 'issue' || (decision.kind === 'refuse' && decision.consume);
    if (isUsedUp && !(await codes.consume(tx, codeSha256, now)))
      throw new Error('A locked code was consumed');
    if (decision.kind !== 'issue') throw refusal(decision);
    const { scopes } = decision;
    await this.note(context, grant, 'grant.issue_tokens', { scopes: { to: [...scopes] } });
    return this.issue(context, grant, { codeSha256, scopes, refreshScopes: scopes });
  }

  /** @throws OAuthError of the library. */
  private async refresh(
    context: Context,
    { refreshToken, scope }: Parameters<'refresh_token'>,
  ): Promise<GrantedTokens> {
    const { tokens } = this.options;
    const { tx, client, now } = context;
    const sha256 = secretHash(refreshToken);
    const grant = await tokens.lockRefreshToken(tx, sha256);
    const decision = judgeRefresh(grant, { appId: client.id, scope }, now.getTime());
    if (grant === null) throw refusal(decision);
    if (decision.kind === 'refuse-and-revoke') {
      const revoked = await tokens.revokeOfGrant(tx, grant.grantId, now);
      if (revoked > 0) await this.noteReuse(context, grant, 'refresh_token_reused');
    }
    if (decision.kind !== 'issue') throw refusal(decision);
    if (!(await tokens.rotate(tx, sha256, now))) throw new Error('A locked refresh token was rotated');
    await this.note(context, grant, 'grant.refresh_tokens', { scopes: { to: [...decision.scopes] } });
    return this.issue(context, grant, { ...decision, codeSha256: grant.codeSha256 });
  }

  private async issue(
    { tx, sign }: Context,
    grant: LockedGrant,
    what: {
      readonly codeSha256: Uint8Array;
      readonly scopes: readonly Scope[];
      readonly refreshScopes: readonly string[];
    },
  ): Promise<GrantedTokens> {
    const { codeSha256, scopes, refreshScopes } = what;
    const issued = await this.options.issuer.issue(tx, { grant, codeSha256, scopes, refreshScopes, sign });
    return { ...issued, scopes, userId: grant.userId, organizationId: grant.organizationId };
  }

  /** A secret of this app was probably stolen: the audit log must show it, once. */
  private noteReuse(
    context: Context,
    grant: LockedGrant,
    reason: 'code_replayed' | 'refresh_token_reused',
  ): Promise<void> {
    return this.note(context, grant, 'grant.revoke_tokens', { reason: { to: reason } });
  }

  private note(
    { tx, client, requestId }: Context,
    { organizationId, grantId }: LockedGrant,
    action: AuditEntry['action'],
    changes: AuditEntry['changes'],
  ): Promise<void> {
    const actor = { type: 'oauth_app', id: client.id } as const;
    return this.options.auditLog.append(tx, {
      organizationId,
      actor,
      action,
      targetId: grantId,
      changes,
      requestId,
    });
  }
}
