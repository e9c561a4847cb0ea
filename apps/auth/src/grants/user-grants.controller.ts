import { Act, Get, List, Resource, type Call } from '@svc/platform/api';
import { grant } from './grant-schema';
import { Grants } from './grants';
import { presentGrant } from './present-grant';

const own = { permission: null, scope: null, acrossOrganizations: true, callers: ['session'] } as const;
const ids = { grant_id: 'grant' } as const;

/** The calling user's own consents, in whatever organizations. */
@Resource({
  path: 'oauth/grants',
  scopedPath: null,
  one: 'OwnGrant',
  many: 'OwnGrants',
  tag: 'OAuth',
  description: 'What an app does with a member’s consent.',
})
export class UserGrantsController {
  constructor(private readonly grants: Grants) {}

  @List('', {
    ...own,
    summary: 'The calling user’s grants, newest first, revoked ones included.',
    cursor: 'grant',
    item: grant,
  })
  async list({ caller, page }: Call) {
    const { items, hasMore } = await this.grants.listOfUser(caller, page);
    return { items: items.map(presentGrant), hasMore };
  }

  @Get(':grant_id', { ...own, summary: 'One of the calling user’s grants.', ids, answer: grant })
  async get({ caller, ids }: Call<{ ids: 'grant_id' }>) {
    return presentGrant(await this.grants.getOfUser(caller, ids.grant_id));
  }

  @Act(':grant_id/revoke', {
    ...own,
    summary: 'Revokes a grant with every token of it.',
    description: 'The app’s next call is refused. A grant that is revoked already stays as it is.',
    ids,
    answer: grant,
  })
  async revoke({ caller, ids }: Call<{ ids: 'grant_id' }>) {
    return presentGrant(await this.grants.revokeOfUser(caller, ids.grant_id));
  }
}
