import OAuth2Server from '@node-oauth/oauth2-server';
import { lifetimesMs, type CodeDecision, type RefreshDecision, type Scope } from '@svc/access';
import { GatewayError, type ErrorName } from '@svc/kernel';

/** The issued tokens, for the library to put into an answer. */
export interface GrantedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly scopes: readonly Scope[];
  readonly userId: string;
  readonly organizationId: string;
}

/** The outcome of a token request: both kinds commit. */
export type TokenAnswer =
  | { readonly kind: 'issued'; readonly body: object }
  | { readonly kind: 'refused'; readonly error: GatewayError };

const GRANT_TYPES = ['authorization_code', 'refresh_token'];
const NO_SECRET = Object.fromEntries(GRANT_TYPES.map((grantType) => [grantType, false]));

/**
 * Runs `@node-oauth/oauth2-server` over a request whose client is known and whose parameters are parsed, so that it
 * cannot parse them differently (docs/decisions/0009). Its grant types are replaced by `grant`.
 * @param grant issues, or throws one of the library's errors.
 * @throws any other error of `grant`, so that its transaction rolls back.
 */
export async function answerByLibrary(
  clientId: string,
  grantType: string,
  grant: () => Promise<GrantedTokens>,
): Promise<TokenAnswer> {
  const Grant = grantTypeOf(grant);
  const server = new OAuth2Server({
    model: {
      getClient: () => Promise.resolve({ id: clientId, grants: GRANT_TYPES }),
    } as unknown as OAuth2Server.ExtensionModel,
    extendedGrantTypes: Object.fromEntries(GRANT_TYPES.map((name) => [name, Grant])),
    requireClientAuthentication: NO_SECRET,
    allowExtendedTokenAttributes: true,
  });
  const response = new OAuth2Server.Response();
  try {
    await server.token(readableRequest(clientId, grantType), response);
    return { kind: 'issued', body: response.body as object };
  } catch (error) {
    return { kind: 'refused', error: asGatewayError(error) };
  }
}

/** One class per request: the library makes the instance, and passes it neither transaction nor parameters. */
function grantTypeOf(grant: () => Promise<GrantedTokens>): typeof OAuth2Server.AbstractGrantType {
  return class extends OAuth2Server.AbstractGrantType {
    override async handle(_: OAuth2Server.Request, client: OAuth2Server.Client): Promise<OAuth2Server.Token> {
      const { accessToken, refreshToken, scopes, userId, organizationId } = await grant();
      return {
        accessToken,
        refreshToken,
        scope: [...scopes],
        client,
        user: { id: userId },
        // Set here: the library computes the difference of two dates, which is a second less.
        expires_in: lifetimesMs.accessToken / 1_000,
        organization_id: organizationId,
      };
    }
  };
}

/** The smallest token request that the library accepts: it requires a form with a length. */
const readableRequest = (clientId: string, grantType: string): OAuth2Server.Request =>
  new OAuth2Server.Request({
    method: 'POST',
    query: {},
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1' },
    body: { grant_type: grantType, client_id: clientId },
  });

/** The library's error for a decision against a request. */
export function refusal(decision: CodeDecision | RefreshDecision): Error {
  if (decision.kind === 'issue') return new Error('A decision to issue is no refusal');
  const { error, description } = decision;
  return error === 'invalid_scope'
    ? new OAuth2Server.InvalidScopeError(description)
    : new OAuth2Server.InvalidGrantError(description);
}

const reasons: Readonly<Record<string, ErrorName>> = {
  invalid_grant: 'invalidGrant',
  invalid_scope: 'invalidScope',
};

function asGatewayError(error: unknown): GatewayError {
  // The library wraps other errors as OAuth errors, with messages that callers must not see.
  if (error instanceof OAuth2Server.ServerError && 'inner' in error) throw error.inner;
  const reason = error instanceof OAuth2Server.OAuthError ? reasons[error.name] : undefined;
  if (reason === undefined) throw error;
  return new GatewayError(reason, (error as Error).message);
}
