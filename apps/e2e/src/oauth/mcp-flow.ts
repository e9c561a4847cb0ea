import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { type OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { brought, SCOPE, STATE, type ClientFlow } from './client-flow';
import { CALLBACK } from './oauth-app';

export const mcpSdk = (appType: ClientFlow['appType']): ClientFlow => ({
  name: `@modelcontextprotocol/sdk, ${appType}`,
  appType,
  async run({ baseUrl, app, consent }) {
    let verifier = '';
    let kept: OAuthTokens | undefined;
    let sentTo = new URL(baseUrl);
    const provider: OAuthClientProvider = {
      redirectUrl: CALLBACK,
      clientMetadata: { redirect_uris: [CALLBACK], scope: SCOPE },
      clientInformation: () => ({
        client_id: app.clientId,
        ...(app.clientSecret === null ? {} : { client_secret: app.clientSecret }),
      }),
      state: () => STATE,
      tokens: () => kept,
      saveTokens: (tokens) => {
        kept = tokens;
      },
      redirectToAuthorization: (url) => {
        sentTo = url;
      },
      saveCodeVerifier: (text) => {
        verifier = text;
      },
      codeVerifier: () => verifier,
    };
    const step = async (expected: string, authorizationCode?: string) => {
      const result = await auth(provider, {
        serverUrl: baseUrl,
        ...(authorizationCode === undefined ? {} : { authorizationCode }),
      });
      if (result !== expected) throw new Error(`The SDK ended with ${result}.`);
      return brought(kept?.access_token ?? 'none yet', kept?.refresh_token ?? 'none yet');
    };
    await step('REDIRECT');
    const back = await consent(sentTo);
    const first = await step('AUTHORIZED', back.searchParams.get('code') ?? '');
    return { first, refreshed: await step('AUTHORIZED') };
  },
});
