import { type Call } from '@svc/api';
import { ownGrantRoutes } from '@svc/api/oauth-routes';
import { Grants } from './grants';
import { presentGrant } from './present-grant';

const { resource, routes } = ownGrantRoutes;

@resource
export class UserGrantsController {
  constructor(private readonly grants: Grants) {}

  @routes.list
  async list({ caller, page }: Call) {
    const { items, hasMore } = await this.grants.listOfUser(caller, page);
    return { items: items.map(presentGrant), hasMore };
  }

  @routes.get
  async get({ caller, ids }: Call<{ ids: 'grant_id' }>) {
    return presentGrant(await this.grants.getOfUser(caller, ids.grant_id));
  }

  @routes.revoke
  async revoke({ caller, ids }: Call<{ ids: 'grant_id' }>) {
    return presentGrant(await this.grants.revokeOfUser(caller, ids.grant_id));
  }
}
