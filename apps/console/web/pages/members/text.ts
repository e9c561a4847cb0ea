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

/** Words for the permissions of each role. */
export const roleNotes: Readonly<Record<Role, string>> = {
  owner: 'Full access, including organization settings and billing.',
  security_admin: 'Full access except organization settings and adding credit.',
  developer: 'Calls models and manages keys, projects and webhooks. Cannot see billing or members.',
  finance: 'Sees usage and the wallet, adds credit, manages budgets. Cannot call models.',
  viewer: 'Read-only access.',
};

export const text = {
  title: 'Members',
  purpose: 'People in this organization and their roles.',
  tabs: { label: 'Members', members: 'Members', invitations: 'Invitations', roles: 'Roles' },
  invite: 'Invite member',
  showRemoved: 'Show removed members',
  emptyTitle: 'No members yet',
  empty: 'Invite people by email and give each a role.',
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
  hints: { seen: 'In the console of any organization. Up to 5 minutes behind.' },
  never: 'Never',
  reasons: {
    lastOwner: 'This is the last owner. Make somebody else an owner first.',
    more: 'This member has permissions that you lack.',
    removed: 'Invite this person again to restore access.',
  },
  change: {
    item: 'Change role',
    title: 'Change role',
    role: 'Role',
    save: 'Change role',
    note: 'Applies immediately. Existing keys keep their scopes.',
    done: 'Role changed.',
  },
  remove: {
    item: 'Remove',
    title: 'Remove member',
    effect:
      'The member loses access immediately, including sessions, access tokens and grants. Keys belong to the organization and stay.',
    lastSeen: {
      last: 'Last seen',
      never: 'Not seen yet. Visits are shown with a delay of up to 5 minutes.',
      reading: 'Loading when the member was last seen…',
      unknown: 'Could not load when the member was last seen.',
    },
    action: 'Remove member',
    done: 'Member removed.',
  },
  inviteForm: {
    title: 'Invite member',
    email: 'E-mail address',
    role: 'Role',
    submit: 'Invite',
    noEmail: 'Enter an e-mail address.',
  },
  link: {
    title: 'Invitation link',
    label: 'Link',
    mailed:
      'The invitation was sent. You can also share this link. Anyone with it can accept. It is shown only once.',
    notMailed:
      'The invitation was not sent by email. Share this link yourself. Anyone with it can accept. It is shown only once.',
  },
  invitations: {
    caption: 'Invitations',
    emptyTitle: 'No invitations',
    first: 'Invite somebody',
    empty: 'Invited people appear here until they accept.',
    resend: 'Send again',
    resendNote: 'Creates a new link. The old one stops working.',
    revoke: 'Revoke',
    revokeTitle: 'Revoke invitation',
    revokeEffect: 'Its link stops working.',
    revoked: 'Invitation revoked.',
    usedReason: 'Only a pending invitation can be sent again or revoked.',
  },
  roles: {
    caption: 'Permissions by role',
    permission: 'Permission',
    yes: 'Yes',
    no: 'No',
    note: 'Role changes apply immediately. Nobody can grant permissions they do not have.',
  },
} as const;
