import { Act, Create, Get, List, Remove, Resource, type Call } from '@svc/api';
import { FailedGuessStore, InvitationStore, MemberStore, OrganizationStore } from '@svc/access/store';
import { type Collection } from '../collection';
import { InvitationIssuer } from './invitation-issuer';
import { InvitationMail } from './invitation-mail';
import {
  createdInvitation,
  invitation,
  invitationFilter,
  newInvitation,
  presentCreatedInvitation,
  presentInvitation,
} from './invitation-schema';
import { Invitations, OPEN_INVITATIONS_MAX } from './invitations';
import { MailThrottle } from './mail-throttle';

const ids = { invitation_id: 'invitation' } as const;

@Resource({
  path: 'members/invitations',
  one: 'Invitation',
  many: 'Invitations',
  tag: 'Members',
  description: 'The members of an organization, and their roles.',
})
class InvitationsController {
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
    summary: 'Invites a person to become a member.',
    description:
      'The link works once, within 7 days. It is mailed if the service can send mail. An open invitation to the same ' +
      'address is revoked. The role may have no permission that the caller lacks. A mailbox gets few mails of invitations in ' +
      `an hour, and those of an organization are bounded: what is over is not mailed. An organization has at most ${String(OPEN_INVITATIONS_MAX)} open ` +
      'invitations.',
    permission: 'member:write',
    scope: null,
    approval: 'invitation.create',
    secretField: 'accept_url',
    body: newInvitation,
    answer: createdInvitation,
    errors: ['conflict'],
  })
  async create({ caller, body }: Call<{ body: typeof newInvitation }>) {
    return presentCreatedInvitation(await this.invitations.create(caller, body));
  }

  @Act(':invitation_id/resend', {
    summary: 'Sends an invitation again, with a new link.',
    description:
      'The earlier link stops working, and the new one works for 7 days. An invitation that has expired can be sent again. ' +
      'The role may have no permission that the caller lacks.',
    permission: 'member:write',
    scope: null,
    approval: 'invitation.resend',
    secretField: 'accept_url',
    ids,
    answer: createdInvitation,
    errors: ['conflict'],
  })
  async resend({ caller, ids }: Call<{ ids: 'invitation_id' }>) {
    return presentCreatedInvitation(await this.invitations.resend(caller, ids.invitation_id));
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

export const invitations: Collection = {
  controllers: [InvitationsController],
  services: [InvitationIssuer, InvitationMail, Invitations, MailThrottle],
  stores: [FailedGuessStore, InvitationStore, MemberStore, OrganizationStore],
};
