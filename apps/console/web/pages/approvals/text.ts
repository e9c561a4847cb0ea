import { formatCount, formatPlural } from '../../format/numbers';
import { type ApprovalPolicy, type ApprovalRequest, type ApprovalState, type SecretKind } from './approval';

export const stateWords: Readonly<Record<ApprovalState, string>> = {
  pending: 'Waits for approval',
  approved: 'Approved',
  executed: 'Done',
  rejected: 'Rejected',
  cancelled: 'Cancelled',
  expired: 'Expired',
  failed: 'Failed',
};

const effects: Readonly<Record<ApprovalState, string>> = {
  pending:
    'Nothing has changed yet. Once approved, the change is applied within seconds on behalf of the requester.',
  approved: 'The change is being applied on behalf of the requester.',
  executed: 'The change was applied on behalf of the requester.',
  rejected: 'Nothing changed.',
  cancelled: 'Nothing changed.',
  expired: 'Nobody decided in time. Nothing changed.',
  failed: 'The change was approved but could not be applied. Nothing changed.',
};

const secretTitles: Readonly<Record<SecretKind, string>> = {
  key: 'Save your key',
  signingSecret: 'Save the signing secret',
  clientSecret: 'Save the client secret',
  invitation: 'Save the link',
};
const secretLabels: Readonly<Record<SecretKind, string>> = {
  key: 'API key',
  signingSecret: 'Signing secret',
  clientSecret: 'Client secret',
  invitation: 'Invitation link',
};

const DAY = 86_400;
const HOUR = 3_600;

/** Words for actions, as orders; others are shown as they are called. */
export const imperatives: Readonly<Record<string, string>> = {
  create: 'Create',
  update: 'Change',
  delete: 'Delete',
  rotate: 'Replace the secret of',
  rotate_secret: 'Replace the secret of',
  enable: 'Enable',
  start: 'Start',
  resend: 'Send again',
};

export const text = {
  title: 'Approvals',
  titles: {
    of: (verb: string, noun: string): string => `${verb} ${noun}`,
    renamed: (noun: string, from: string, to: string): string => `Rename ${noun} ${from} to ${to}`,
    raised: (field: string, noun: string, from: string, to: string): string =>
      `Raise ${field} of ${noun} from ${from} to ${to}`,
    lowered: (field: string, noun: string, from: string, to: string): string =>
      `Lower ${field} of ${noun} from ${from} to ${to}`,
    changed: (field: string, noun: string, from: string, to: string): string =>
      `Change ${field} of ${noun} from ${from} to ${to}`,
  },
  purpose: 'Changes that wait for approval, and who can approve them.',
  tabs: { label: 'Approvals', requests: 'Requests', policies: 'Policies' },
  list: {
    caption: 'Approval requests',
    what: 'requests',
    emptyTitle: 'No approval requests',
    empty: 'Changes covered by an approval policy wait here until they are approved.',
    columns: {
      action: 'Change',
      state: 'State',
      requestedBy: 'Requested by',
      approvals: 'Approvals',
      created: 'Requested',
      expires: 'Expires',
    },
    approvals: ({ policies }: ApprovalRequest): string =>
      policies
        .map(
          ({ approval_count: count, required_approvals: required }) =>
            `${formatCount(count)} of ${formatCount(required)}`,
        )
        .join(', '),
  },
  filters: {
    state: 'State',
    action: 'Action',
    awaiting: 'Waits for',
    me: 'You',
    actionHint: 'For example budget.update.',
  },
  request: {
    title: 'Approval',
    what: 'approval request',
    change: 'Requested change',
    changed: 'Requested change',
    changes: 'Changes',
    field: 'Field',
    from: 'Now',
    to: 'After',
    nothing: 'nothing',
    noFields: 'No changed fields to show.',
    call: 'API call, without secrets',
    effect: 'Effect',
    effects,
    facts: 'Details',
    id: 'Id',
    target: 'Target',
    newTarget: 'New',
    requestedBy: 'Requested by',
    kinds: { user: 'A person', api_key: 'A key', oauth_app: 'An OAuth app' },
    person: 'Person',
    reason: 'Reason',
    noReason: 'No reason given.',
    created: 'Requested',
    expires: 'Expires',
    decided: 'Decided',
    executed: 'Applied',
    policies: 'Approval policies',
    policy: 'Policy',
    version: 'Version',
    approvals: 'Approvals',
    decisions: 'Decisions',
    noDecision: 'No decisions yet.',
    who: 'Who',
    decision: 'Decision',
    decisionWords: { approved: 'Approved', rejected: 'Rejected' },
    comment: 'Comment',
    at: 'When',
    failedTitle: 'Why it failed',
  },
  decide: {
    approve: 'Approve',
    reject: 'Reject',
    approveTitle: 'Approve this change?',
    rejectTitle: 'Reject this change?',
    approveNote: 'The change is applied within seconds once every policy has enough approvals.',
    rejectNote: 'One rejection is enough, and final.',
    comment: 'Comment',
    commentHint: 'The requester sees it. At most 500 characters.',
    approved: 'Approved.',
    rejected: 'Rejected.',
    own: 'You requested this change. Somebody else must decide.',
  },
  withdraw: {
    action: 'Cancel request',
    title: 'Cancel this request?',
    effect: 'It can no longer be approved. You can request the same change again.',
    done: 'Request cancelled.',
  },
  claim: {
    action: 'Claim secret',
    titles: secretTitles,
    labels: secretLabels,
    warning: 'It is shown only once.',
    available: 'The change created a secret. It can be claimed once, within 72 hours.',
    states: {
      none: '',
      available: '',
      claimed: 'The secret of this change has been claimed.',
      expired: 'The secret of this change was not claimed within 72 hours, and is gone.',
    },
  },
  policies: {
    caption: 'Approval policies',
    create: 'Create policy',
    emptyTitle: 'No approval policies yet',
    first: 'Create your first policy',
    empty: 'Choose which changes need the approval of other people.',
    columns: {
      name: 'Name',
      actions: 'Changes',
      above: 'Above',
      approvers: 'Approvers',
      required: 'Approvals',
      expires: 'Expires after',
      state: 'State',
    },
    any: 'Any amount',
    on: 'Enabled',
    off: 'Disabled',
    degraded: 'Too few approvers',
    approvers: ({ approvers: { user_ids: users } }: ApprovalPolicy, roles: readonly string[]): string =>
      [...roles, ...(users.length === 0 ? [] : [formatPlural(users.length, 'person', 'people')])].join(', '),
    after: (seconds: number): string =>
      seconds % DAY === 0
        ? formatPlural(seconds / DAY, 'day')
        : seconds % HOUR === 0
          ? formatPlural(seconds / HOUR, 'hour')
          : formatPlural(Math.round(seconds / 60), 'minute'),
  },
  form: {
    createTitle: 'Create approval policy',
    editTitle: 'Edit approval policy',
    editNote: 'This change itself needs the approval of the current approvers.',
    name: 'Name',
    noName: 'Give it a name.',
    actions: 'Changes that need approval',
    noAction: 'Choose at least one change.',
    above: 'Only amounts above',
    aboveHint: 'For budgets, in dollars. Leave empty for any amount.',
    roles: 'Approvers',
    users: 'Additional approvers (user ids)',
    usersHint: 'Separate several with commas.',
    required: 'Required approvals',
    requiredHint: '1 to 5. The requester cannot approve.',
    hours: 'Expires after (hours)',
    enabled: 'Enabled',
    save: 'Save',
    submit: 'Create policy',
    created: 'Policy created.',
    saved: 'Policy saved.',
  },
  remove: {
    action: 'Delete policy',
    short: 'Delete',
    title: 'Delete this policy?',
    effect: 'Its changes no longer need approval. Deleting it needs the approval of its approvers.',
    done: 'Policy deleted.',
  },
} as const;
