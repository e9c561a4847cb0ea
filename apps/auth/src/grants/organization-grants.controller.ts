import { type Call } from '@svc/api';
import { organizationGrantRoutes, type grantFilters } from '@svc/api/oauth-routes';
import { Grants } from './grants';
import { presentGrant } from './present-grant';

const { resource, routes } = organizationGrantRoutes;

@resource
export class OrganizationGrantsController {
  constructor(private readonly grants: Grants) {}

  @routes.list
  async list({ caller, page, query }: Call<{ query: typeof grantFilters }>) {
    const { app_id: appId, user_id: userId, state } = query;
    const { items, hasMore } = await this.grants.listOfOrganization(caller, page, { appId, userId, state });
    return { items: items.map(presentGrant), hasMore };
  }

  @routes.get
  async get({ caller, ids }: Call<{ ids: 'grant_id' }>) {
    return presentGrant(await this.grants.getOfOrganization(caller, ids.grant_id));
  }

  @routes.revoke
  async revoke({ caller, ids }: Call<{ ids: 'grant_id' }>) {
    return presentGrant(await this.grants.revokeOfOrganization(caller, ids.grant_id));
  }
}
