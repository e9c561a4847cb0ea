import { type IncomingMessage } from 'node:http';
import passport from 'passport';
import {
  apiKeyHash,
  isApiKeySecret,
  isCsrfTokenOf,
  permissionsOfKey,
  permissionsOfScopes,
  rolePermissions,
  secretHash,
  type KnownCallers,
  type Membership,
  type Permission,
} from '@svc/access';
import { GatewayError } from '@svc/kernel';
import { type ReadClientAddress } from '@svc/http';
import { CredentialStrategy } from './credential-strategy';
import { type CallerIdentity } from './identity';

const KINDS = ['api_key', 'access_token', 'session'];

/**
 * Worded alike for every cause, so that it does not reveal which keys exist
 * (docs/reference/authentication-and-permissions.md, Refusals).
 */
export const unknownCaller = (): GatewayError =>
  new GatewayError('invalidApiKey', 'The API key is missing or not valid.');

/**
 * Identifies callers by API key, OAuth access token or console session
 * (docs/reference/authentication-and-permissions.md, Credentials).
 */
export class Authentication {
  private readonly passport = new passport.Passport();

  constructor({ directory, accessTokens }: KnownCallers, readAddress: ReadClientAddress) {
    this.passport.use(
      new CredentialStrategy('api_key', async ({ secret }, http) => {
        const key = isApiKeySecret(secret)
          ? await directory.apiKey(apiKeyHash(secret), () => readAddress(http))
          : null;
        if (!key?.live) throw unknownCaller();
        return {
          actor: { type: 'api_key', id: key.id },
          userId: null,
          projectId: key.projectId,
          scopes: null,
          organizations: new Map([[key.organizationId, permissionsOfKey(key.scopes, key.projectId)]]),
          provesOrigin: null,
        };
      }),
    );
    this.passport.use(
      new CredentialStrategy('access_token', async ({ jwt }) => {
        const { jti } = await accessTokens.verify(jwt);
        const { appId, userId, organizationId, scopes, role } = await directory.accessToken(jti);
        return {
          actor: { type: 'oauth_app', id: appId },
          userId,
          projectId: null,
          scopes: new Set(scopes),
          organizations: new Map([[organizationId, permissionsOfScopes(scopes, role)]]),
          provesOrigin: null,
        };
      }),
    );
    this.passport.use(
      new CredentialStrategy('session', async ({ secret }, { method }) => {
        const session = await directory.session(secretHash(secret));
        if (session === null) throw unknownCaller();
        return {
          actor: { type: 'user', id: session.userId },
          userId: session.userId,
          projectId: null,
          scopes: null,
          organizations: new Map(
            session.memberships.map((one) => [one.organizationId, permissionsOfMember(one, method)]),
          ),
          provesOrigin: (csrfToken) => isCsrfTokenOf(secret, csrfToken),
        };
      }),
    );
  }

  /** @throws GatewayError `invalidApiKey`, `invalidToken` or `tokenRevoked`. */
  identify(http: IncomingMessage): Promise<CallerIdentity> {
    return new Promise((resolve, reject) => {
      const decide = (error: unknown, identity: CallerIdentity | false): void => {
        if (error) reject(error instanceof Error ? error : new Error(String(error)));
        else if (identity) resolve(identity);
        else reject(unknownCaller());
      };
      const middleware = this.passport.authenticate(KINDS, { session: false }, decide) as PassportMiddleware;
      middleware(http, {}, reject);
    });
  }
}

/** The members of a suspended organization read what their role reads, and change nothing. */
function permissionsOfMember(
  { role, organizationState }: Membership,
  method: string | undefined,
): ReadonlySet<Permission> {
  const held = rolePermissions[role];
  if (organizationState === 'active' || method === 'GET' || method === 'HEAD') return held;
  return new Set([...held].filter((permission) => permission.endsWith(':read')));
}

type PassportMiddleware = (http: IncomingMessage, response: object, next: (error: unknown) => void) => void;
