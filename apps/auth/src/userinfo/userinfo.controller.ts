import { known, type Call } from '@svc/api';
import { userinfoRoutes } from '@svc/api/oauth-routes';
import { GatewayError } from '@svc/kernel';
import { GrantStore } from '@svc/access/store';

const { resource, routes } = userinfoRoutes;

@resource
export class UserinfoController {
  constructor(private readonly grants: GrantStore) {}

  @routes.get
  async get({ caller }: Call) {
    const { userId, actor, organizationId, scopes } = caller;
    if (scopes === null || userId === null || actor.id === null) {
      throw new GatewayError('insufficientScope', 'This route takes an OAuth access token.');
    }
    const parties = known(await this.grants.partiesOf(userId, actor.id));
    const { email, emailVerified, clientId } = parties;
    return {
      sub: userId,
      organization_id: organizationId,
      azp: clientId,
      ...(scopes.has('email') ? { email, email_verified: emailVerified } : {}),
    };
  }
}
