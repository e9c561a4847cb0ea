import { type Role } from '../../session/session';
import { type Invitation, type Member } from './member';

export const memberStates: Readonly<Record<Member['state'], string>> = {
  active: 'Active',
  removed: 'Removed',
};

export const invitationStates: Readonly<Record<Invitation['state'], string>> = {
  pending: 'Pending',
  accepted: 'Accepted',
  revoked: 'Revoked',
  expired: 'Expired',
};

/** What each role may do, in words. */
export const roleNotes: Readonly<Record<Role, string>> = {
  owner: 'Everything, the organization itself and its money included.',
  security_admin: 'Everything but changing the organization and adding credit.',
  developer: 'Calls models, and manages keys, projects and webhooks. Sees no money and no members.',
  finance: 'Sees usage and the wallet, adds credit, and manages budgets. Calls no models.',
  viewer: 'Reads, and changes nothing.',
};

export const text = {
  title: 'Members',
  purpose: 'Who may use this organization, and how.',
  tabs: { label: 'Members', members: 'Members', invitations: 'Invitations', roles: 'Roles' },
  invite: 'Invite member',
  showRemoved: 'Show removed members',
  emptyTitle: 'No members yet',
  empty: 'A member logs in with an e-mail address, and has one role.',
  actionsOf: (email: string): string => `Actions of ${email}`,
  you: 'You',
  columns: {
    email: 'E-mail address',
    role: 'Role',
    state: 'State',
    since: 'Member since',
    seen: 'Last seen',
    actions: 'Actions',
    invited: 'Invited',
    expires: 'Expires',
  },
  hints: { seen: 'In the console, in any organization. Up to 5 minutes behind.' },
  never: 'Never',
  reasons: {
    lastOwner: 'The last owner keeps the role: make somebody else an owner first.',
    more: 'Your role lacks permissions that this member has.',
    removed: 'A removed member comes back by a new invitation.',
  },
  change: {
    item: 'Change role',
    title: 'Change role',
    role: 'Role',
    save: 'Change role',
    note: 'It applies from the next call on. Keys keep their scopes.',
    done: 'Role changed.',
  },
  remove: {
    item: 'Remove',
    title: 'Remove member',
    effect:
      'Sessions, access tokens and grants of this member lose access to the organization at once. Keys belong to the organization and stay.',
    lastSeen: {
      last: 'Last seen',
      never: 'No visit to the console is known. Visits are shown up to 5 minutes late.',
      reading: 'Reading when the member was last seen …',
      unknown: 'When the member was last seen could not be read.',
    },
    action: 'Remove member',
    done: 'Member removed.',
  },
  inviteForm: {
    title: 'Invite member',
    email: 'E-mail address',
    role: 'Role',
    submit: 'Invite',
    noEmail: 'Write an e-mail address.',
  },
  link: {
    title: 'Invitation link',
    label: 'Link',
    mailed:
      'It was mailed. You can pass this link on yourself, too: whoever has it can accept. It is shown only now.',
    notMailed:
      'It was not mailed: pass this link on yourself. Whoever has it can accept the invitation. It is shown only now.',
  },
  invitations: {
    caption: 'Invitations',
    emptyTitle: 'No invitations',
    empty: 'An invitation is a link by which somebody becomes a member.',
    resend: 'Send again',
    resendNote: 'Makes a new link; the old one stops working.',
    revoke: 'Revoke',
    revokeTitle: 'Revoke invitation',
    revokeEffect: 'Its link stops working.',
    revoked: 'Invitation revoked.',
    usedReason: 'Only a pending invitation can be sent again or revoked.',
  },
  roles: {
    caption: 'What each role may do',
    permission: 'Permission',
    yes: 'Yes',
    no: 'No',
    note: 'A role is read at every call. Nobody can give more than they hold.',
  },
} as const;
