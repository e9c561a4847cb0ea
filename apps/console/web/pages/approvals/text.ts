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
    'Nothing has changed yet. Once approved, the change is made within seconds, as the person who asked.',
  approved: 'It is being made, as the person who asked.',
  executed: 'The change was made, as the person who asked.',
  rejected: 'Nothing was changed.',
  cancelled: 'Nothing was changed.',
  expired: 'Nobody decided in time. Nothing was changed.',
  failed: 'It was approved, and then refused. Nothing was changed.',
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
  invitation: 'Link of the invitation',
};

const DAY = 86_400;
const HOUR = 3_600;

export const text = {
  title: 'Approvals',
  purpose: 'Which changes wait, and who decides about them.',
  tabs: { label: 'Approvals', requests: 'Requests', policies: 'Policies' },
  list: {
    caption: 'Approval requests',
    what: 'requests',
    emptyTitle: 'No change has waited yet',
    empty: 'A change that an approval policy lists waits here until other people have approved it.',
    columns: {
      action: 'Change',
      state: 'State',
      requestedBy: 'Asked by',
      approvals: 'Approvals',
      created: 'Asked',
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
    change: 'What would change',
    changed: 'What was asked for',
    changes: 'Changes',
    field: 'Field',
    from: 'Now',
    to: 'Then',
    nothing: 'nothing',
    noFields: 'It changes no field that the audit log keeps.',
    call: 'The call as it was sent, without its secrets',
    effect: 'Effect',
    effects,
    facts: 'Facts',
    id: 'Id',
    target: 'Target',
    newTarget: 'Made by the change',
    requestedBy: 'Asked by',
    kinds: { user: 'A person', api_key: 'A key', oauth_app: 'An OAuth app' },
    person: 'Person',
    reason: 'Why',
    noReason: 'No reason was given.',
    created: 'Asked',
    expires: 'Expires',
    decided: 'Decided',
    executed: 'Made',
    policies: 'Policies that hold it',
    policy: 'Policy',
    version: 'Version',
    approvals: 'Approvals',
    decisions: 'Decisions',
    noDecision: 'Nobody has decided yet.',
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
    approveNote: 'Once each policy has its approvals, the change is made within seconds.',
    rejectNote: 'One rejection is enough, and final.',
    comment: 'Comment',
    commentHint: 'For the person who asked. At most 500 characters.',
    approved: 'Approved.',
    rejected: 'Rejected.',
    own: 'You asked for it. Somebody else must decide.',
  },
  withdraw: {
    action: 'Cancel request',
    title: 'Cancel this request?',
    effect: 'Nobody can approve it any more. The same change can be asked for again.',
    done: 'Request cancelled.',
  },
  claim: {
    action: 'Claim secret',
    titles: secretTitles,
    labels: secretLabels,
    warning: 'It is shown once. Nobody can show it again.',
    available: 'The change has made a secret. It can be claimed once, within 72 hours.',
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
    empty: 'A policy lists changes that wait until other people have approved them.',
    columns: {
      name: 'Name',
      actions: 'What waits',
      above: 'Above',
      approvers: 'Who decides',
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
    editTitle: 'Change approval policy',
    editNote: 'The change waits for the approvers of the policy as it is now.',
    name: 'Name',
    noName: 'Give it a name.',
    actions: 'What waits',
    noAction: 'Choose at least one change.',
    above: 'Only amounts above',
    aboveHint: 'Of budgets, in dollars. Empty: all wait.',
    roles: 'Who decides',
    users: 'User ids that decide besides',
    usersHint: 'With commas between them.',
    required: 'How many must approve',
    requiredHint: '1 to 5. The person who asked never counts.',
    hours: 'Expires after, in hours',
    enabled: 'Enabled',
    save: 'Save',
    submit: 'Create policy',
    created: 'Policy created.',
    saved: 'Policy changed.',
  },
  remove: {
    action: 'Delete policy',
    short: 'Delete',
    title: 'Delete this policy?',
    effect: 'What it lists no longer waits. Deleting waits for the approvers of the policy.',
    done: 'Policy deleted.',
  },
} as const;
