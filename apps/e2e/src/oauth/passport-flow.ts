import OAuth2Strategy from 'passport-oauth2';
import { SCOPE, secretOf, type Brought, type ClientFlow } from './client-flow';
import { CALLBACK } from './oauth-app';

export const passportOauth2: ClientFlow = {
  name: 'passport-oauth2',
  appType: 'confidential',
  async run({ baseUrl, app, consent }) {
    const strategy = new OAuth2Strategy(
      {
        authorizationURL: `${baseUrl}/auth/oauth/authorize`,
        tokenURL: `${baseUrl}/api/v1/oauth/token`,
        clientID: app.clientId,
        clientSecret: secretOf(app),
        callbackURL: CALLBACK,
        scope: SCOPE.split(' '),
        pkce: true,
        state: true,
      },
      (access: string, refresh: string, _profile: unknown, done: (error: null, user: Brought) => void) => {
        done(null, { access, refresh });
      },
    );
    const session = {};
    const { url } = await authenticated(strategy, { session, query: {} });
    const back = await consent(url ?? '');
    const { user } = await authenticated(strategy, { session, query: Object.fromEntries(back.searchParams) });
    if (user === undefined) throw new Error('Nobody was authenticated.');
    return { first: user, refreshed: await refreshedBy(strategy, user) };
  },
};

/** Runs a strategy as passport does: on a request, with its outcome callbacks. */
function authenticated(
  strategy: OAuth2Strategy,
  request: { readonly session: object; readonly query: Readonly<Record<string, string>> },
): Promise<{ readonly url?: string; readonly user?: Brought }> {
  return new Promise((resolve, reject) => {
    const ends = {
      redirect: (url: string) => {
        resolve({ url });
      },
      success: (user: Brought) => {
        resolve({ user });
      },
      fail: (why: unknown) => {
        reject(new Error(JSON.stringify(why)));
      },
      error: reject,
    };
    const running = Object.assign(Object.create(strategy) as OAuth2Strategy, ends);
    running.authenticate(request as never, {});
  });
}

const refreshedBy = (strategy: OAuth2Strategy, { refresh }: Brought): Promise<Brought> =>
  new Promise((resolve, reject) => {
    const { _oauth2: client } = strategy as unknown as { _oauth2: TokenClient };
    client.getOAuthAccessToken(refresh, { grant_type: 'refresh_token' }, (error, access, next) => {
      if (error) reject(new Error(JSON.stringify(error)));
      else resolve({ access, refresh: next });
    });
  });

interface TokenClient {
  getOAuthAccessToken(
    code: string,
    parameters: object,
    done: (error: unknown, access: string, refresh: string) => void,
  ): void;
}
