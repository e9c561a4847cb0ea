import { Act, Get, List, Resource, type Call } from '@svc/platform/api';
import { grant, grantFilters } from './grant-schema';
import { Grants } from './grants';
import { presentGrant } from './present-grant';

const ids = { grant_id: 'grant' } as const;

/** What members let apps do in the organization, whoever registered the app. */
@Resource({
  path: 'oauth-apps/grants',
  one: 'Grant',
  many: 'Grants',
  tag: 'OAuth apps',
  description: 'Apps that act for members who consent, and what members consented to.',
})
export class OrganizationGrantsController {
  constructor(private readonly grants: Grants) {}

  @List('', {
    summary: 'The organization’s grants, newest first, revoked ones included.',
    permission: 'grant:read',
    scope: null,
    cursor: 'grant',
    query: grantFilters,
    item: grant,
  })
  async list({ caller, page, query }: Call<{ query: typeof grantFilters }>) {
    const { app_id: appId, user_id: userId, state } = query;
    const { items, hasMore } = await this.grants.listOfOrganization(caller, page, { appId, userId, state });
    return { items: items.map(presentGrant), hasMore };
  }

  @Get(':grant_id', {
    summary: 'One grant.',
    permission: 'grant:read',
    scope: null,
    ids,
    answer: grant,
  })
  async get({ caller, ids }: Call<{ ids: 'grant_id' }>) {
    return presentGrant(await this.grants.getOfOrganization(caller, ids.grant_id));
  }

  @Act(':grant_id/revoke', {
    summary: 'Revokes a member’s grant with every token of it.',
    description: 'The app’s next call is refused. A grant that is revoked already stays as it is.',
    permission: 'grant:revoke',
    scope: null,
    ids,
    answer: grant,
  })
  async revoke({ caller, ids }: Call<{ ids: 'grant_id' }>) {
    return presentGrant(await this.grants.revokeOfOrganization(caller, ids.grant_id));
  }
}
