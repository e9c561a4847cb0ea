import { scopeTable } from '@svc/access';
import { type ZodOpenApiSecuritySchemeObject } from 'zod-openapi';
import { SESSION_COOKIE } from '../credential';
import { type DeclaredRoute } from '../route';

/** How callers authenticate (docs/reference/authentication-and-permissions.md, Credentials). */
export const securitySchemes = (baseUrl: string): Record<string, ZodOpenApiSecuritySchemeObject> => ({
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, `svc_sk_…`. The header `X-Api-Key` works too.',
  },
  accessToken: {
    type: 'oauth2',
    description: 'An OAuth access token, which a member of the organization consented to.',
    flows: {
      authorizationCode: {
        authorizationUrl: `${baseUrl}/auth/oauth/authorize`,
        tokenUrl: `${baseUrl}/api/v1/oauth/token`,
        refreshUrl: `${baseUrl}/api/v1/oauth/token`,
        scopes: Object.fromEntries(
          Object.entries(scopeTable).map(([scope, { description }]) => [scope, description]),
        ),
      },
    },
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: 'A console session. A write also needs the header `X-CSRF-Token`, from `GET /auth/session`.',
  },
  operator: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of the operator of this installation.',
  },
  metrics: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of the metrics of this installation (`SVC_METRICS_TOKEN`).',
  },
});

type SecurityRequirement = Record<string, string[]>;

/** Which callers a route is open to, each with what it needs: OpenAPI 3.1 lets every scheme list roles. */
export function securityOf(route: DeclaredRoute, isOperators: boolean): SecurityRequirement[] {
  if (isOperators) return [{ operator: [] }];
  const { permission, scope, callers = ['api_key', 'access_token', 'session'] } = route;
  const held = permission === null ? [] : [permission];
  return [
    ...(callers.includes('api_key') ? [{ apiKey: held }] : []),
    ...(callers.includes('access_token') && scope !== null ? [{ accessToken: [scope] }] : []),
    ...(callers.includes('session') ? [{ session: held }] : []),
  ];
}
