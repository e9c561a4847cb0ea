import { type RegisteredApp } from './oauth-app';

/** The tokens that a client library obtained. */
export interface Brought {
  readonly access: string;
  readonly refresh: string;
}

/** The OAuth flow of one client library, set up as its documentation says. */
export interface ClientFlow {
  readonly name: string;
  readonly appType: 'public' | 'confidential';
  /** @param consent the browser: from where the library sends it to where it comes back. */
  run(world: FlowWorld): Promise<{ readonly first: Brought; readonly refreshed: Brought }>;
}

interface FlowWorld {
  readonly baseUrl: string;
  readonly app: RegisteredApp;
  consent(authorizationUrl: string | URL): Promise<URL>;
}

export const SCOPE = 'openid email usage:read';
export const STATE = 'state-of-the-app';

export const secretOf = ({ clientSecret }: RegisteredApp): string => {
  if (clientSecret === null) throw new Error('A public app has no secret.');
  return clientSecret;
};

export function brought(access: string | undefined, refresh: string | undefined): Brought {
  if (access === undefined || refresh === undefined) throw new Error('A token is missing.');
  return { access, refresh };
}
