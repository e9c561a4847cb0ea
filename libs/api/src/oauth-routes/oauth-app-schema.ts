import { z } from 'zod';
import { isAllowedHomepage, isAllowedRedirectUri, scopes as allScopes } from '@svc/access';
import { id, name, timestamp } from '../fields';

/** Of an organization: active ones. */
export const OAUTH_APPS_MAX = 1_000;
const REDIRECT_URIS_MAX = 20;

const appType = z.enum(['public', 'confidential']).meta({
  description:
    'A public app (command line, desktop, phone) has no secret; a confidential one keeps it on a server.',
});

const redirectUris = z
  .array(
    z.string().refine(isAllowedRedirectUri, {
      error:
        'must be absolute, https or http on a loopback host, without fragment, user, * or parameters of the answer',
      abort: true,
    }),
  )
  .min(1)
  .max(REDIRECT_URIS_MAX)
  .meta({
    description:
      'Where members are sent back to. URIs are compared byte for byte, ports of loopback hosts included.',
    example: ['https://charts.example/callback'],
  });

const scopes = z
  .array(z.enum(allScopes))
  .min(1)
  .max(allScopes.length)
  .meta({
    description:
      'The scopes that the app may ask for. Live tokens lose a removed scope from the next call on.',
    example: ['openid', 'usage:read'],
  });

const homepage = z
  .string()
  .refine(isAllowedHomepage, 'must be an https address, or http on a loopback host')
  .nullable()
  .meta({ description: 'Shown on the consent page.', example: 'https://charts.example' });

export const oauthApp = z
  .object({
    id: id('oauthApp'),
    organization_id: id('organization'),
    name: name().meta({ example: 'Cost charts' }),
    app_type: appType,
    client_id: z.string().meta({ example: 'svc_client_kU9mWk1rXQe0Yb2mJp4lqM7dS8vTzN3oF5hGiA6cEwU' }),
    has_secret: z.boolean(),
    state: z
      .enum(['active', 'revoked'])
      .meta({ description: 'A revoked app gets no consent and no token. Its record stays readable.' }),
    redirect_uris: redirectUris,
    scopes,
    homepage,
    created_at: timestamp(),
    updated_at: timestamp(),
    revoked_at: timestamp().nullable(),
  })
  .meta({ id: 'OauthApp' });

export const newOauthApp = z
  .strictObject({
    name: name().meta({ example: 'Cost charts' }),
    app_type: appType,
    redirect_uris: redirectUris,
    scopes,
    homepage: homepage.default(null),
  })
  .meta({ id: 'NewOauthApp' });

export const oauthAppChange = z
  .strictObject({ name: name(), redirect_uris: redirectUris, scopes, homepage })
  .partial()
  .meta({ id: 'OauthAppChange' });

const clientSecret = z.string().meta({
  description: 'Shown only once.',
  example: 'svc_cs_2rN8yBq1sVt5wXz7uKcJ4mLp9oGhFd3aEiQ6nRbT0vM',
});

export const registeredOauthApp = z
  .object({
    app: oauthApp,
    client_secret: clientSecret.nullable().meta({ description: 'Shown only once; null for a public app.' }),
  })
  .meta({ id: 'RegisteredOauthApp' });

export const rotatedSecret = z
  .object({ app: oauthApp, client_secret: clientSecret })
  .meta({ id: 'OauthAppWithNewSecret' });
