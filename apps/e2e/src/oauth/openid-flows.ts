import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { brought, SCOPE, secretOf, STATE, type ClientFlow } from './client-flow';
import { CALLBACK, type RegisteredApp } from './oauth-app';

export const openidClient = (
  method: string,
  appType: ClientFlow['appType'],
  authentication: (app: RegisteredApp) => openid.ClientAuth,
): ClientFlow => ({
  name: `openid-client, ${method}`,
  appType,
  async run({ baseUrl, app, consent }) {
    const config = await openid.discovery(
      new URL(baseUrl),
      app.clientId,
      undefined,
      authentication(app),
      // The service under test listens on plain http.
      { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
    );
    const verifier = openid.randomPKCECodeVerifier();
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: SCOPE,
      state: STATE,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const checks = { pkceCodeVerifier: verifier, expectedState: STATE };
    const first = await openid.authorizationCodeGrant(config, await consent(url), checks);
    const refreshed = await openid.refreshTokenGrant(config, first.refresh_token ?? '');
    const claims = await openid.fetchUserInfo(config, refreshed.access_token, openid.skipSubjectCheck);
    if (!claims.email?.includes('@')) throw new Error('Userinfo has no address.');
    await openid.tokenRevocation(
      config,
      (await openid.refreshTokenGrant(config, refreshed.refresh_token ?? '')).access_token,
    );
    return {
      first: brought(first.access_token, first.refresh_token),
      refreshed: brought(refreshed.access_token, refreshed.refresh_token),
    };
  },
});

export const oauth4webapi: ClientFlow = {
  name: 'oauth4webapi, with the access token verified by RFC 9068',
  appType: 'confidential',
  async run({ baseUrl, app, consent }) {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(baseUrl);
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const server = await oauth.processDiscoveryResponse(issuer, discovered);
    const client: oauth.Client = { client_id: app.clientId };
    const authentication = oauth.ClientSecretBasic(secretOf(app));
    const verifier = oauth.generateRandomCodeVerifier();
    const url = new URL(server.authorization_endpoint ?? '');
    const query = {
      client_id: app.clientId,
      redirect_uri: CALLBACK,
      response_type: 'code',
      scope: SCOPE,
      state: STATE,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    url.search = new URLSearchParams(query).toString();
    const callback = oauth.validateAuthResponse(server, client, await consent(url), STATE);
    const exchange = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      callback,
      CALLBACK,
      verifier,
      insecure,
    );
    const first = await oauth.processAuthorizationCodeResponse(server, client, exchange);
    const refresh = await oauth.refreshTokenGrantRequest(
      server,
      client,
      authentication,
      first.refresh_token ?? '',
      insecure,
    );
    const refreshed = await oauth.processRefreshTokenResponse(server, client, refresh);
    const call = new Request(`${baseUrl}/resource`, {
      headers: { authorization: `Bearer ${refreshed.access_token}` },
    });
    const claims = await oauth.validateJwtAccessToken(server, call, baseUrl, insecure);
    if (claims.client_id !== app.clientId) throw new Error('The token is another client’s.');
    return {
      first: brought(first.access_token, first.refresh_token),
      refreshed: brought(refreshed.access_token, refreshed.refresh_token),
    };
  },
};
