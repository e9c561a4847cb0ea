import { roles } from '@svc/identity';
import { emptyAnswer, errorAnswers, id, jsonAnswer, textAnswer } from '@svc/platform/api';
import { z } from 'zod';
import { type ZodOpenApiPathsObject } from 'zod-openapi';

export const SESSIONS_TAG = 'Sessions';

const page = (description: string) => textAnswer(description, 'text/html', '<!doctype html>');

const session = z
  .object({
    user: z.object({ id: id('user'), email: z.email().meta({ example: 'ada@example.com' }) }),
    organizations: z.array(
      z.object({
        id: id('organization'),
        name: z.string().meta({ example: 'Acme' }),
        role: z.enum(roles),
      }),
    ),
    csrf_token: z.string().meta({
      description: 'Goes along with every write by cookie, in `X-CSRF-Token`.',
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
    description: 'As in the link that the invited one was sent.',
    example: 'svc_inv_4sT0m2lqYb5mD1nQmZzZ9nTDXoQ8pS2EKJ0mYyA6kC3',
  }),
});

/** `/auth/…`, but for OAuth (contract.md section 7, Sessions and Members). */
export const sessionPaths: ZodOpenApiPathsObject = {
  '/auth/login': {
    get: {
      operationId: 'showLogin',
      tags: [SESSIONS_TAG],
      summary: 'The page to log in on.',
      security: [],
      requestParams: {
        query: z.object({
          return_to: z
            .string()
            .optional()
            .meta({ description: 'A path here, to go on to.', example: '/console' }),
        }),
      },
      responses: {
        '200': page('The page.'),
        '303': emptyAnswer('Logged in already: on to `return_to`.'),
        ...errorAnswers(['unhandled']),
      },
    },
    post: {
      operationId: 'logIn',
      tags: [SESSIONS_TAG],
      summary: 'Logs in.',
      description:
        'Sets the cookie `svc_session`. The page’s own form is answered with 303; failures are limited per address and account.',
      security: [],
      requestBody: { required: true, content: { 'application/json': { schema: login } } },
      responses: {
        '200': jsonAnswer('The session.', session),
        '303': emptyAnswer('To the page’s form.'),
        ...errorAnswers(['invalidRequest', 'invalidLogin', 'permissionDenied', 'rateLimit', 'unhandled']),
      },
    },
  },
  '/auth/logout': {
    post: {
      operationId: 'logOut',
      tags: [SESSIONS_TAG],
      summary: 'Logs out: the session ends at once.',
      description: 'Without a live session there is nothing to end, and the answer is the same.',
      security: [{ session: [] }],
      requestParams: {
        header: z.object({
          'X-CSRF-Token': z.string().optional().meta({ description: 'The session’s `csrf_token`.' }),
        }),
      },
      responses: {
        '204': emptyAnswer('Done.'),
        '303': emptyAnswer('To the page’s form.'),
        ...errorAnswers(['invalidRequest', 'permissionDenied', 'unhandled']),
      },
    },
  },
  '/auth/session': {
    get: {
      operationId: 'getSession',
      tags: [SESSIONS_TAG],
      summary: 'Who is logged in, where, and with which role.',
      security: [{ session: [] }],
      responses: {
        '200': jsonAnswer('The session.', session),
        ...errorAnswers(['notLoggedIn', 'unhandled']),
      },
    },
  },
  '/auth/invitations/{secret}': {
    get: {
      operationId: 'showInvitation',
      tags: [SESSIONS_TAG],
      summary: 'The page on which an invitation is accepted.',
      security: [],
      requestParams: { path: secretInPath },
      responses: {
        '200': page('The page.'),
        '404': page('There is no such invitation.'),
        '410': page('The invitation is used, revoked or expired.'),
        ...errorAnswers(['unhandled']),
      },
    },
    post: {
      operationId: 'acceptInvitation',
      tags: [SESSIONS_TAG],
      summary: 'Accepts an invitation, by the page’s own form.',
      security: [],
      requestParams: { path: secretInPath },
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: z.object({
              csrf_token: z.string().meta({ description: 'Of the page.', example: 'of-the-page' }),
              password: z.string().optional().meta({ example: 'correct horse battery', writeOnly: true }),
            }),
          },
        },
      },
      responses: {
        '303': emptyAnswer('Accepted, and logged in.'),
        '404': page('There is no such invitation.'),
        '410': page('The invitation is used, revoked or expired.'),
        ...errorAnswers(['invalidRequest', 'permissionDenied', 'rateLimit', 'unhandled']),
      },
    },
  },
};
