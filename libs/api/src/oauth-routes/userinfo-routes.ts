import { z } from 'zod';
import { id } from '../fields';
import { Resource } from '../resource';
import { type ResourceDeclaration } from '../resource-declaration';
import { Get } from '../verbs';
import { OAUTH } from './headings';

const userinfo = z
  .object({
    sub: id('user').meta({ description: 'The member who consented.' }),
    organization_id: id('organization'),
    azp: z.string().meta({
      description: 'The client id of the app.',
      example: 'svc_client_kU9mWk1rXQe0Yb2mJp4lqM7dS8vTzN3oF5hGiA6cEwU',
    }),
    email: z
      .email()
      .optional()
      .meta({ description: 'Present with the scope `email`.', example: 'ada@example.com' }),
    email_verified: z.boolean().optional().meta({
      description:
        'With the scope `email`: whether the member has opened a link that was mailed to the address and shown to nobody else.',
    }),
  })
  .meta({ id: 'Userinfo' });

/** The consenting user (docs/reference/oauth.md, Userinfo). */
export const userinfoRoutes = {
  resource: Resource({
    ...OAUTH,
    path: 'oauth/userinfo',
    scopedPath: null,
    one: 'Userinfo',
    many: 'Userinfo',
  }),
  routes: {
    get: Get('', {
      summary: 'The member behind an access token.',
      description: 'Takes access tokens only. A session has `GET /auth/session`.',
      permission: null,
      scope: 'openid',
      callers: ['access_token'],
      answer: userinfo,
    }),
  },
} satisfies ResourceDeclaration;
