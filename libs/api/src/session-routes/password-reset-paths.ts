import { z } from 'zod';
import { type ZodOpenApiPathsObject } from 'zod-openapi';
import { emptyAnswer } from '../document/described-answers';
import { errorAnswers } from '../document/error-answers';
import { csrfField, formBody, htmlPage, newPasswordField, TAG } from './parts';

const secretInPath = z.object({
  secret: z.string().meta({
    description: 'The secret in the link of the reset.',
    example: 'svc_pr_4sT0m2lqYb5mD1nQmZzZ9nTDXoQ8pS2EKJ0mYyA6kC3',
  }),
});

const noMail = htmlPage('The service sends no mail: the operator can help.');
const closed = htmlPage('There is no such link: it is wrong, used, replaced or expired.');

/** For users who forgot their password (docs/reference/sessions-and-members.md, Passwords). */
export const passwordResetPaths: ZodOpenApiPathsObject = {
  '/auth/password-reset': {
    get: {
      operationId: 'showPasswordReset',
      tags: [TAG],
      summary: 'The page on which who forgot the password asks for a mail.',
      security: [],
      responses: { '200': htmlPage('The page.'), '404': noMail, ...errorAnswers(['unhandled']) },
    },
    post: {
      operationId: 'askForPasswordReset',
      tags: [TAG],
      summary: 'Mails a link to set a new password with, by the page’s own form.',
      description:
        'The answer is the same for an address that nobody has. Mails are limited by address and by network.',
      security: [],
      requestBody: formBody(
        z.object({ csrf_token: csrfField, email: z.email().meta({ example: 'ada@example.com' }) }),
      ),
      responses: {
        '303': emptyAnswer('If somebody has the address, the mail is on its way.'),
        '404': noMail,
        ...errorAnswers([
          'invalidRequest',
          'permissionDenied',
          'unsupportedContentEncoding',
          'rateLimit',
          'overloaded',
          'unhandled',
        ]),
      },
    },
  },
  '/auth/password-reset/{secret}': {
    get: {
      operationId: 'showNewPassword',
      tags: [TAG],
      summary: 'The page on which a new password is set.',
      security: [],
      requestParams: { path: secretInPath },
      responses: { '200': htmlPage('The page.'), '404': closed, ...errorAnswers(['unhandled']) },
    },
    post: {
      operationId: 'setNewPassword',
      tags: [TAG],
      summary: 'Sets a new password, by the page’s own form.',
      description: 'Every session of the user ends, and none begins.',
      security: [],
      requestParams: { path: secretInPath },
      requestBody: formBody(
        z.object({
          csrf_token: csrfField,
          new_password: newPasswordField,
          repeated_password: newPasswordField,
        }),
      ),
      responses: {
        '303': emptyAnswer('Set: on to the login.'),
        '404': closed,
        ...errorAnswers(['invalidRequest', 'permissionDenied', 'unsupportedContentEncoding', 'unhandled']),
      },
    },
  },
};
