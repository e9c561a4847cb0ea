import { Change, Get, List, Remove, Resource, type Call } from '@svc/platform/api';
import { member, memberChange, memberFilter } from './member-schema';
import { Members } from './members';
import { presentMember } from './present-member';

const ids = { member_id: 'member' } as const;

@Resource({
  path: 'members',
  one: 'Member',
  many: 'Members',
  tag: 'Members',
  description: 'The people of an organization, and what each may do there.',
})
export class MembersController {
  constructor(private readonly members: Members) {}

  @List('', {
    summary: 'The members, newest first; removed ones, too.',
    permission: 'member:read',
    scope: null,
    query: memberFilter,
    cursor: 'member',
    item: member,
  })
  async list({ caller, page, query }: Call<{ query: typeof memberFilter }>) {
    const { items, hasMore } = await this.members.list(caller, page, query);
    return { items: items.map(presentMember), hasMore };
  }

  @Get(':member_id', {
    summary: 'One member.',
    permission: 'member:read',
    scope: null,
    ids,
    answer: member,
  })
  async get({ caller, ids }: Call<{ ids: 'member_id' }>) {
    return presentMember(await this.members.get(caller, ids.member_id));
  }

  @Change(':member_id', {
    summary: 'Gives a member another role.',
    description:
      'Neither the old role nor the new one may have a permission that the caller lacks. The last owner keeps the role.',
    permission: 'member:write',
    scope: null,
    ids,
    body: memberChange,
    answer: member,
    errors: ['conflict'],
  })
  async change({ caller, ids, body }: Call<{ ids: 'member_id'; body: typeof memberChange }>) {
    return presentMember(await this.members.changeRole(caller, ids.member_id, body.role));
  }

  @Remove(':member_id', {
    summary: 'Removes a member.',
    description:
      'Ends at once what the membership gave: on sessions, on access tokens, on grants to apps. API keys belong to the ' +
      'organization and stay. The last owner can not be removed, nor anybody with a permission that the caller lacks.',
    permission: 'member:write',
    scope: null,
    ids,
    errors: ['conflict'],
  })
  async remove({ caller, ids }: Call<{ ids: 'member_id' }>): Promise<void> {
    await this.members.remove(caller, ids.member_id);
  }
}
