import { Create, Get, List, Remove, Resource, type Call } from '@svc/platform/api';
import { createdInvitation, invitation, invitationFilter, newInvitation } from './invitation-schema';
import { Invitations } from './invitations';
import { presentInvitation } from './present-invitation';

const ids = { invitation_id: 'invitation' } as const;

@Resource({
  path: 'members/invitations',
  one: 'Invitation',
  many: 'Invitations',
  tag: 'Members',
  description: 'The people of an organization, and what each may do there.',
})
export class InvitationsController {
  constructor(private readonly invitations: Invitations) {}

  @List('', {
    summary: 'The invitations, newest first.',
    permission: 'member:read',
    scope: null,
    query: invitationFilter,
    cursor: 'invitation',
    item: invitation,
  })
  async list({ caller, page, query }: Call<{ query: typeof invitationFilter }>) {
    const { items, hasMore } = await this.invitations.list(caller, page, query);
    return { items: items.map(presentInvitation), hasMore };
  }

  @Get(':invitation_id', {
    summary: 'One invitation.',
    permission: 'member:read',
    scope: null,
    ids,
    answer: invitation,
  })
  async get({ caller, ids }: Call<{ ids: 'invitation_id' }>) {
    return presentInvitation(await this.invitations.get(caller, ids.invitation_id));
  }

  @Create('', {
    summary: 'Invites somebody to become a member.',
    description:
      'The link works for 7 days, once. It goes out by mail where the service can send mail. An open invitation to the ' +
      'same address is revoked: its link stops working. The role may have no permission that the caller lacks.',
    permission: 'member:write',
    scope: null,
    body: newInvitation,
    answer: createdInvitation,
    errors: ['conflict'],
  })
  async create({ caller, body }: Call<{ body: typeof newInvitation }>) {
    const created = await this.invitations.create(caller, body);
    return {
      invitation: presentInvitation(created.invitation),
      accept_url: created.acceptUrl,
      mailed: created.mailed,
    };
  }

  @Remove(':invitation_id', {
    summary: 'Revokes an invitation: its link stops working.',
    permission: 'member:write',
    scope: null,
    ids,
    errors: ['conflict'],
  })
  async remove({ caller, ids }: Call<{ ids: 'invitation_id' }>): Promise<void> {
    await this.invitations.revoke(caller, ids.invitation_id);
  }
}
