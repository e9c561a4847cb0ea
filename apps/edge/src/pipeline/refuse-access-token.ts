import { type CredentialHeaders } from '@svc/identity';
import { GatewayError } from '@svc/kernel';
import { type AccessTokenReader, type CallerDirectory } from '@svc/platform/api';

const BEARER_JWT = /^bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i;

/**
 * Says to whom an access token belongs that there is nothing for it here (interface.md, Authentication, rule 5), and to
 * everybody else what they would hear at any other service.
 * @throws GatewayError `insufficientScope` for a live one, `tokenRevoked`, `invalidToken`. Returns where none is shown.
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
