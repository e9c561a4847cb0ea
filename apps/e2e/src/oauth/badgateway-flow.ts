import { generateCodeVerifier, OAuth2Client } from '@badgateway/oauth2-client';
import { brought, SCOPE, STATE, type ClientFlow } from './client-flow';
import { CALLBACK } from './oauth-app';

export const badgateway = (
  appType: ClientFlow['appType'],
  authenticationMethod: 'client_secret_basic' | 'client_secret_post' | 'client_secret_basic_interop',
): ClientFlow => ({
  name: `@badgateway/oauth2-client, ${appType}, ${authenticationMethod}`,
  appType,
  async run({ baseUrl, app, consent }) {
    const client = new OAuth2Client({
      server: baseUrl,
      clientId: app.clientId,
      ...(app.clientSecret === null ? {} : { clientSecret: app.clientSecret, authenticationMethod }),
      discoveryEndpoint: '/.well-known/oauth-authorization-server',
    });
    const codeVerifier = await generateCodeVerifier();
    const url = await client.authorizationCode.getAuthorizeUri({
      redirectUri: CALLBACK,
      state: STATE,
      codeVerifier,
      scope: SCOPE.split(' '),
    });
    const first = await client.authorizationCode.getTokenFromCodeRedirect(await consent(url), {
      redirectUri: CALLBACK,
      state: STATE,
      codeVerifier,
    });
    const refreshed = await client.refreshToken(first);
    await client.revoke(await client.refreshToken(refreshed));
    return {
      first: brought(first.accessToken, first.refreshToken ?? undefined),
      refreshed: brought(refreshed.accessToken, refreshed.refreshToken ?? undefined),
    };
  },
});
