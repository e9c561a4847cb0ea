import * as oauth from 'oauth4webapi';
import { AuthorizationCode } from 'simple-oauth2';
import { brought, SCOPE, secretOf, STATE, type Brought, type ClientFlow } from './client-flow';
import { CALLBACK } from './oauth-app';

export const simpleOauth2 = (
  bodyFormat: 'form' | 'json',
  authorizationMethod: 'header' | 'body',
): ClientFlow => ({
  name: `simple-oauth2, ${bodyFormat}, secret in the ${authorizationMethod}`,
  appType: 'confidential',
  async run({ baseUrl, app, consent }) {
    const client = new AuthorizationCode({
      client: { id: app.clientId, secret: secretOf(app) },
      auth: {
        tokenHost: baseUrl,
        tokenPath: '/api/v1/oauth/token',
        revokePath: '/api/v1/oauth/revoke',
        authorizePath: '/auth/oauth/authorize',
      },
      options: { bodyFormat, authorizationMethod },
    });
    const verifier = oauth.generateRandomCodeVerifier();
    const pkce = {
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    const back = await consent(
      client.authorizeURL({ redirect_uri: CALLBACK, scope: SCOPE, state: STATE, ...pkce }),
    );
    const code = back.searchParams.get('code') ?? '';
    const parameters = { code, redirect_uri: CALLBACK, code_verifier: verifier };
    const first = await client.getToken(parameters);
    const refreshed = await first.refresh();
    const another = await refreshed.refresh();
    await another.revoke('access_token');
    return { first: broughtIn(first.token), refreshed: broughtIn(refreshed.token) };
  },
});

const broughtIn = (fields: Readonly<Record<string, unknown>>): Brought =>
  brought(fields['access_token'] as string, fields['refresh_token'] as string);
