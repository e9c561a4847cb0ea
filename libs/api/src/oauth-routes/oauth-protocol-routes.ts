import { permissions, scopes } from '@svc/access';
import { z } from 'zod';
import { emptyAnswer, jsonAnswer } from '../document/described-answers';
import { type DocumentedRoutes } from '../document/documented-routes';
import { errorAnswers } from '../document/error-answers';
import { id } from '../fields';
import { csrfField, formBody, htmlPage } from '../session-routes/parts';
import { OAUTH } from './headings';

const clientId = z.string().meta({ example: 'svc_client_kU9mWk1rXQe0Yb2mJp4lqM7dS8vTzN3oF5hGiA6cEwU' });

const tokenForm = z
  .looseObject({
    grant_type: z.enum(['authorization_code', 'refresh_token']),
    code: z.string().optional().meta({ description: 'The code to exchange.', example: 'svc_ac_Qm1…' }),
    redirect_uri: z
      .string()
      .optional()
      .meta({ description: 'The same as in the authorization.', example: 'https://app.example/callback' }),
    code_verifier: z.string().optional().meta({
      description: 'The text whose SHA-256 is the `code_challenge`.',
      example: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    }),
    refresh_token: z
      .string()
      .optional()
      .meta({ description: 'The refresh token to exchange. Each works once.', example: 'svc_rt_Zn4…' }),
    scope: z
      .string()
      .optional()
      .meta({ description: 'Fewer scopes than before, for a refresh.', example: 'openid' }),
    client_id: clientId.optional(),
    client_secret: z.string().optional().meta({
      description: 'The secret of a confidential app. HTTP Basic works too.',
      example: 'svc_cs_Yk8…',
      writeOnly: true,
    }),
  })
  .meta({ id: 'TokenRequest' });

const tokenAnswer = z
  .object({
    access_token: z.string().meta({ description: 'A JWT.', example: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln' }),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'Seconds until the access token expires.', example: 3600 }),
    refresh_token: z.string().meta({ example: 'svc_rt_Zn4…' }),
    scope: z
      .string()
      .meta({ description: 'The granted scopes, separated by spaces.', example: 'openid usage:read' }),
    organization_id: id('organization'),
  })
  .meta({ id: 'TokenAnswer' });

const revocation = z
  .looseObject({
    token: z
      .string()
      .optional()
      .meta({ description: 'An access or a refresh token.', example: 'svc_rt_Zn4…' }),
    client_id: clientId.optional(),
    client_secret: z.string().optional().meta({ example: 'svc_cs_Yk8…', writeOnly: true }),
  })
  .meta({ id: 'Revocation' });

const bodyOf = (schema: z.ZodType) => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema }, 'application/json': { schema } },
});

const authorization = z.object({
  client_id: clientId,
  response_type: z.literal('code'),
  redirect_uri: z
    .string()
    .meta({ description: 'Exactly as registered.', example: 'https://app.example/callback' }),
  scope: z.string().meta({ description: 'Scopes, separated by spaces.', example: 'openid usage:read' }),
  code_challenge: z.string().meta({
    description: 'The SHA-256 of the verifier, in base64url.',
    example: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  }),
  code_challenge_method: z.literal('S256'),
  state: z.string().optional().meta({ description: 'Sent back unchanged.', example: 'af0ifjsldkj' }),
});

const scopeTable = z
  .object({
    data: z.array(
      z.object({
        scope: z.enum(scopes),
        description: z
          .string()
          .meta({ description: 'The text on the consent page.', example: 'read the email address' }),
        permissions: z.array(z.enum(permissions)),
      }),
    ),
    has_more: z.literal(false),
    next_cursor: z.null(),
  })
  .meta({ id: 'ScopeTable' });

/** OAuth's own routes (docs/reference/oauth.md). */
export const oauthProtocolRoutes: DocumentedRoutes = {
  tags: [{ name: OAUTH.tag, description: OAUTH.description }],
  paths: {
    '/auth/oauth/authorize': {
      get: {
        operationId: 'authorize',
        tags: [OAUTH.tag],
        summary: 'Asks a member for consent, in a browser.',
        description:
          'A wrong `client_id` or `redirect_uri` is answered with a page. Every other error goes back to the app with ' +
          '`error` and `state`.',
        security: [],
        requestParams: { query: authorization },
        responses: {
          '200': htmlPage('The consent page.'),
          '303': emptyAnswer(
            'Redirects to the login, or back to the app with `code` or `error`, and `state`.',
          ),
          '400': htmlPage('The app or its redirect URI is not known.'),
          ...errorAnswers(['unhandled']),
        },
      },
      post: {
        operationId: 'consent',
        tags: [OAUTH.tag],
        summary: 'Allows or denies, by the form of the consent page.',
        security: [],
        requestParams: { query: authorization },
        requestBody: formBody(
          z.object({
            csrf_token: csrfField,
            organization_id: id('organization').optional(),
            scope: z.array(z.enum(scopes)).optional().meta({ description: 'The ticked scopes.' }),
            decision: z.enum(['allow', 'deny']),
          }),
        ),
        responses: {
          '303': emptyAnswer('Redirects back to the app with `code` or `error`, and `state`.'),
          '400': htmlPage('The consent page again, with what is missing.'),
          ...errorAnswers(['permissionDenied', 'unsupportedContentEncoding', 'unhandled']),
        },
      },
    },
    '/api/v1/oauth/token': {
      post: {
        operationId: 'issueTokens',
        tags: [OAUTH.tag],
        summary: 'Exchanges a code for tokens, or a refresh token for new ones.',
        description:
          '`error.code` is the error code of RFC 6749. Failed client authentication is rate limited.',
        security: [],
        requestBody: bodyOf(tokenForm),
        responses: {
          '200': jsonAnswer('The tokens.', tokenAnswer),
          ...errorAnswers([
            'invalidRequest',
            'invalidGrant',
            'unsupportedGrantType',
            'invalidScope',
            'invalidClient',
            'unsupportedContentEncoding',
            'rateLimit',
            'unhandled',
          ]),
        },
      },
    },
    '/api/v1/oauth/revoke': {
      post: {
        operationId: 'revokeToken',
        tags: [OAUTH.tag],
        summary: 'Revokes a token (RFC 7009).',
        description: 'The answer is always the same. A revoked refresh token revokes its access tokens too.',
        security: [],
        requestBody: bodyOf(revocation),
        responses: {
          '200': jsonAnswer('Revoked, or there was nothing to revoke.', z.object({})),
          ...errorAnswers(['invalidRequest', 'unsupportedContentEncoding', 'unhandled']),
        },
      },
    },
    '/api/v1/oauth/scopes': {
      get: {
        operationId: 'listScopes',
        tags: [OAUTH.tag],
        summary: 'The scopes that an app can ask for.',
        security: [],
        responses: {
          '200': jsonAnswer('All of them.', scopeTable),
          ...errorAnswers(['unhandled']),
        },
      },
    },
    '/.well-known/oauth-authorization-server': {
      get: {
        operationId: 'getAuthorizationServerMetadata',
        tags: [OAUTH.tag],
        summary: 'The metadata that clients configure themselves with (RFC 8414).',
        security: [],
        responses: {
          '200': jsonAnswer(
            'The metadata.',
            z.looseObject({
              issuer: z.string().meta({ example: 'https://svc.example' }),
              authorization_endpoint: z
                .string()
                .meta({ example: 'https://svc.example/auth/oauth/authorize' }),
              token_endpoint: z.string().meta({ example: 'https://svc.example/api/v1/oauth/token' }),
              jwks_uri: z.string().meta({ example: 'https://svc.example/.well-known/jwks.json' }),
            }),
          ),
          ...errorAnswers(['unhandled']),
        },
      },
    },
    '/.well-known/jwks.json': {
      get: {
        operationId: 'getKeySet',
        tags: [OAUTH.tag],
        summary: 'The keys that access tokens are signed with (RFC 7517).',
        security: [],
        responses: {
          '200': jsonAnswer(
            'The keys.',
            z.object({
              keys: z.array(
                z.looseObject({
                  kty: z.string().meta({ example: 'OKP' }),
                  kid: z.string().meta({ example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k' }),
                }),
              ),
            }),
          ),
          ...errorAnswers(['unhandled']),
        },
      },
    },
  },
};
