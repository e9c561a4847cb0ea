import { type AccessTokenReader, type CallerDirectory, type CredentialHeaders } from '@svc/access';
import { GatewayError } from '@svc/kernel';

const BEARER_JWT = /^bearer +([\w-]+\.[\w-]+\.[\w-]*)$/i;

/**
 * Refuses calls with an access token: inference needs an API key
 * (docs/reference/authentication-and-permissions.md#refusals). A token that is not valid is refused as at any other
 * service.
 * @throws GatewayError `insufficientScope` for a valid one, `tokenRevoked`, `invalidToken`. Returns when there is none.
 */
export const refuseAccessTokens =
  (accessTokens: AccessTokenReader, directory: Pick<CallerDirectory, 'accessToken'>) =>
  async ({ authorization = '' }: CredentialHeaders): Promise<void> => {
    const jwt = BEARER_JWT.exec(authorization)?.[1];
    if (jwt === undefined) return;
    const { jti } = await accessTokens.verify(jwt);
    await directory.accessToken(jti);
    throw new GatewayError('insufficientScope', 'No access token opens inference: call it with an API key.');
  };
