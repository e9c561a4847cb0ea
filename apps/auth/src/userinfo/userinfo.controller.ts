import { z } from 'zod';
import { GatewayError } from '@svc/kernel';
import { GrantStore } from '@svc/persistence';
import { Get, id, Resource, unknownResource, type Call } from '@svc/platform/api';

const userinfo = z
  .object({
    sub: id('user').meta({ description: 'The member who consented.' }),
    organization_id: id('organization'),
    azp: z.string().meta({
      description: 'The client id of the app.',
      example: 'svc_client_kU9mWk1rXQe0Yb2mJp4lqM7dS8vTzN3oF5hGiA6cEwU',
    }),
    email: z.email().optional().meta({ description: 'With the scope `email`.', example: 'ada@example.com' }),
  })
  .meta({ id: 'Userinfo' });

/** Who consented (interface.md, Userinfo). */
@Resource({
  path: 'oauth/userinfo',
  scopedPath: null,
  one: 'Userinfo',
  many: 'Userinfo',
  tag: 'OAuth',
  description: 'What an app does with a member’s consent.',
})
export class UserinfoController {
  constructor(private readonly grants: GrantStore) {}

  @Get('', {
    summary: 'The member behind an access token.',
    description: 'Takes access tokens only: a key is nobody’s, and a session has `GET /auth/session`.',
    permission: null,
    scope: 'openid',
    callers: ['access_token'],
    answer: userinfo,
  })
  async get({ caller }: Call) {
    const { userId, actor, organizationId, scopes } = caller;
    if (scopes === null || userId === null || actor.id === null) {
      throw new GatewayError('insufficientScope', 'This route takes an OAuth access token.');
    }
    const parties = await this.grants.partiesOf(userId, actor.id);
    if (parties === null) throw unknownResource();
    const { email, clientId } = parties;
    return {
      sub: userId,
      organization_id: organizationId,
      azp: clientId,
      ...(scopes.has('email') ? { email } : {}),
    };
  }
}
