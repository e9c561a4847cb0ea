import { Act, Change, Get, List, Remove, Resource, type Call } from '@svc/api';
import { GrantStore, InvitationStore, MemberStore, OrganizationStore } from '@svc/access/store';
import { type Collection } from '../collection';
import { member, memberChange, memberFilter, presentMember } from './member-schema';
import { Members } from './members';

const ids = { member_id: 'member' } as const;

@Resource({
  path: 'members',
  one: 'Member',
  many: 'Members',
  tag: 'Members',
  description: 'The members of an organization, and their roles.',
})
class MembersController {
  constructor(private readonly members: Members) {}

  @List('', {
    summary: 'The members, newest first, removed ones included.',
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
    approval: 'member.update',
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
      'The member’s sessions, access tokens and grants lose access to the organization at once. API keys belong to the ' +
      'organization and stay. The caller cannot remove the last owner, nor a member with a permission that the caller ' +
      'lacks.',
    permission: 'member:write',
    scope: null,
    ids,
    errors: ['conflict'],
  })
  async remove({ caller, ids }: Call<{ ids: 'member_id' }>): Promise<void> {
    await this.members.remove(caller, ids.member_id);
  }

  @Act(':member_id/leave', {
    summary: 'Leaves the organization: the calling user is no member any more.',
    description:
      'Ends what the membership gave, as a removal does. The last owner cannot leave. It takes the session of the member; ' +
      '`GET /auth/session` tells the member’s id.',
    permission: null,
    scope: null,
    callers: ['session'],
    operation: 'leaveOrganization',
    ids,
    answer: member,
    errors: ['conflict'],
  })
  async leave({ caller, ids }: Call<{ ids: 'member_id' }>) {
    return presentMember(await this.members.leave(caller, ids.member_id));
  }
}

export const members: Collection = {
  controllers: [MembersController],
  services: [Members],
  stores: [MemberStore, OrganizationStore, InvitationStore, GrantStore],
};
