import { permissions, roles } from '@svc/access';
import { z } from 'zod';
import { emptyAnswer, jsonAnswer } from '../document/described-answers';
import { type DocumentedRoutes } from '../document/documented-routes';
import { errorAnswers } from '../document/error-answers';
import { id, timestamp } from '../fields';
import { accountPaths } from './account-paths';
import { csrfField, csrfHeader, formBody, htmlPage, TAG } from './parts';
import { passwordResetPaths } from './password-reset-paths';

const session = z
  .object({
    user: z.object({ id: id('user'), email: z.email().meta({ example: 'ada@example.com' }) }),
    organizations: z.array(
      z.object({
        id: id('organization'),
        name: z.string().meta({ example: 'Acme' }),
        state: z
          .enum(['active', 'suspended'])
          .meta({ description: 'A suspended organization refuses its members’ sessions.' }),
        role: z.enum(roles),
        permissions: z.array(z.enum(permissions)).meta({
          description: 'The permissions of the role. A suspended organization grants none of them.',
          example: ['org:read', 'usage:read'],
        }),
        member_id: id('member').meta({ description: 'The user’s membership there.' }),
      }),
    ),
    expires_at: timestamp().meta({
      description: 'When the session ends, even if it is in use. It ends earlier after 12 hours without use.',
    }),
    csrf_token: z.string().meta({
      description: 'Required in `X-CSRF-Token` for every write with the session’s cookie.',
      example: 'KJ0mYyA6kC3l7t0m2lqYb5mD1nQmZzZ9nTDXoQ8pS2E',
    }),
  })
  .meta({ id: 'Session' });

const login = z
  .strictObject({
    email: z.email().meta({ example: 'ada@example.com' }),
    password: z.string().meta({ example: 'correct horse battery', writeOnly: true }),
  })
  .meta({ id: 'Login' });

const secretInPath = z.object({
  secret: z.string().meta({
    description: 'The secret in the invitation’s link.',
    example: 'svc_inv_4sT0m2lqYb5mD1nQmZzZ9nTDXoQ8pS2EKJ0mYyA6kC3',
  }),
});

/** `/auth/…`, except OAuth (docs/reference/sessions-and-members.md). */
export const sessionRoutes: DocumentedRoutes = {
  tags: [{ name: TAG, description: 'Login of people: browsers send a form, programs send JSON.' }],
  paths: {
    '/auth/login': {
      get: {
        operationId: 'showLogin',
        tags: [TAG],
        summary: 'The login page.',
        security: [],
        requestParams: {
          query: z.object({
            return_to: z.string().optional().meta({
              description: 'The path of this service to go on to after login. Default: `/console/`.',
              example: '/console/requests',
            }),
          }),
        },
        responses: {
          '200': htmlPage('The page.'),
          '303': emptyAnswer('Logged in already. Redirects to `return_to`.'),
          ...errorAnswers(['unhandled']),
        },
      },
      post: {
        operationId: 'logIn',
        tags: [TAG],
        summary: 'Logs in.',
        description:
          'Sets the cookie `svc_session`. A form with the same fields is answered with 303; that of a browser needs the ' +
          '`csrf_token` of the page. Failures are rate limited per address and account.',
        security: [],
        requestBody: { required: true, content: { 'application/json': { schema: login } } },
        responses: {
          '200': jsonAnswer('The session.', session),
          '303': emptyAnswer('The answer to a form.'),
          ...errorAnswers([
            'invalidRequest',
            'invalidLogin',
            'permissionDenied',
            'unsupportedContentEncoding',
            'rateLimit',
            'unhandled',
          ]),
        },
      },
    },
    '/auth/logout': {
      post: {
        operationId: 'logOut',
        tags: [TAG],
        summary: 'Ends the session at once.',
        description: 'The answer is the same without a live session.',
        security: [{ session: [] }],
        requestParams: { header: csrfHeader },
        responses: {
          '204': emptyAnswer('Done.'),
          '303': emptyAnswer('The answer to the page’s form.'),
          ...errorAnswers(['invalidRequest', 'permissionDenied', 'unhandled']),
        },
      },
    },
    '/auth/session': {
      get: {
        operationId: 'getSession',
        tags: [TAG],
        summary: 'The user who is logged in, with organizations and roles.',
        security: [{ session: [] }],
        responses: {
          '200': jsonAnswer('The session.', session),
          ...errorAnswers(['notLoggedIn', 'unhandled']),
        },
      },
    },
    ...accountPaths,
    ...passwordResetPaths,
    '/auth/invitations/{secret}': {
      get: {
        operationId: 'showInvitation',
        tags: [TAG],
        summary: 'The page that accepts an invitation.',
        security: [],
        requestParams: { path: secretInPath },
        responses: {
          '200': htmlPage('The page.'),
          '404': htmlPage('There is no such invitation.'),
          '410': htmlPage('The invitation is used, revoked or expired.'),
          ...errorAnswers(['unhandled']),
        },
      },
      post: {
        operationId: 'acceptInvitation',
        tags: [TAG],
        summary: 'Accepts an invitation, by the form of its page.',
        security: [],
        requestParams: { path: secretInPath },
        requestBody: formBody(
          z.object({
            csrf_token: csrfField,
            password: z.string().optional().meta({ example: 'correct horse battery', writeOnly: true }),
          }),
        ),
        responses: {
          '303': emptyAnswer('Accepted, and logged in.'),
          '404': htmlPage('There is no such invitation.'),
          '410': htmlPage('The invitation is used, revoked or expired.'),
          ...errorAnswers([
            'invalidRequest',
            'permissionDenied',
            'unsupportedContentEncoding',
            'rateLimit',
            'unhandled',
          ]),
        },
      },
    },
  },
};
