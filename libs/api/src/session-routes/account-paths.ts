import { z } from 'zod';
import { type ZodOpenApiPathsObject } from 'zod-openapi';
import { emptyAnswer, jsonAnswer } from '../document/described-answers';
import { errorAnswers } from '../document/error-answers';
import { id, timestamp } from '../fields';
import { csrfHeader, htmlPage, newPasswordField, TAG } from './parts';

const security = [{ session: [] }];
const sessionInPath = z.object({ session_id: id('consoleSession') });

const ownSession = z
  .object({
    id: id('consoleSession'),
    created_at: timestamp(),
    last_seen_at: timestamp().meta({ description: 'Accurate to 5 minutes.' }),
    expires_at: timestamp().meta({ description: 'When it ends, however much it is used.' }),
    user_agent: z.string().nullable().meta({
      description: 'The first 300 characters of the `User-Agent` of the login.',
      example: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    }),
    address: z.string().nullable().meta({
      description: 'The IP address that the login came from.',
      example: '203.0.113.7',
    }),
    current: z.boolean().meta({ description: 'Whether this call comes with it.' }),
  })
  .meta({ id: 'OwnSession' });

const ownSessions = z.object({ data: z.array(ownSession) }).meta({ id: 'OwnSessions' });

const passwordChange = z
  .strictObject({
    current_password: z.string().meta({ example: 'correct horse battery', writeOnly: true }),
    new_password: newPasswordField,
  })
  .meta({ id: 'PasswordChange' });

/** The account of the logged-in user (docs/reference/sessions-and-members.md, Passwords and Own sessions). */
export const accountPaths: ZodOpenApiPathsObject = {
  '/auth/account': {
    get: {
      operationId: 'showAccount',
      tags: [TAG],
      summary: 'The page with the user’s address, password and sessions.',
      // Callers who are not logged in get an answer too.
      security: [],
      responses: {
        '200': htmlPage('The page.'),
        '303': emptyAnswer('Nobody is logged in: on to the login.'),
        ...errorAnswers(['unhandled']),
      },
    },
  },
  '/auth/password': {
    post: {
      operationId: 'changePassword',
      tags: [TAG],
      summary: 'Changes the password of whoever is logged in.',
      description:
        'Every other session of the user ends at once. The caller’s goes on in a new cookie, with a new `csrf_token`. Grants ' +
        'to apps stay. A wrong `current_password` counts as a failed login.',
      security,
      requestParams: { header: csrfHeader },
      requestBody: { required: true, content: { 'application/json': { schema: passwordChange } } },
      responses: {
        '204': emptyAnswer('Done.'),
        '303': emptyAnswer('To the page’s form.'),
        ...errorAnswers([
          'invalidRequest',
          'invalidLogin',
          'notLoggedIn',
          'permissionDenied',
          'conflict',
          'unsupportedContentEncoding',
          'rateLimit',
          'unhandled',
        ]),
      },
    },
  },
  '/auth/sessions': {
    get: {
      operationId: 'listOwnSessions',
      tags: [TAG],
      summary: 'The live sessions of whoever is logged in, newest first.',
      description: 'At most the newest 100.',
      security,
      responses: {
        '200': jsonAnswer('The sessions.', ownSessions),
        ...errorAnswers(['notLoggedIn', 'unhandled']),
      },
    },
  },
  '/auth/sessions/{session_id}': {
    delete: {
      operationId: 'endOwnSession',
      tags: [TAG],
      summary: 'Ends a session of whoever is logged in.',
      security,
      requestParams: { path: sessionInPath, header: csrfHeader },
      responses: {
        '204': emptyAnswer('Done.'),
        ...errorAnswers(['notLoggedIn', 'permissionDenied', 'notFound', 'unhandled']),
      },
    },
  },
  '/auth/sessions/{session_id}/end': {
    post: {
      operationId: 'endOwnSessionByForm',
      tags: [TAG],
      summary: 'The same by the page’s own form.',
      security,
      requestParams: { path: sessionInPath, header: csrfHeader },
      responses: {
        '303': emptyAnswer('Ended now or before: back to the page.'),
        ...errorAnswers(['notLoggedIn', 'permissionDenied', 'unhandled']),
      },
    },
  },
  '/auth/sessions/end-others': {
    post: {
      operationId: 'endOtherSessions',
      tags: [TAG],
      summary: 'Ends every session of the user but the caller’s.',
      security,
      requestParams: { header: csrfHeader },
      responses: {
        '204': emptyAnswer('Done.'),
        '303': emptyAnswer('To the page’s form.'),
        ...errorAnswers(['notLoggedIn', 'permissionDenied', 'unhandled']),
      },
    },
  },
};
