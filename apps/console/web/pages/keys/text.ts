import { permissionWords } from '../../session/permission-words';
import { formatCompact, formatCount } from '../../format/numbers';
import { type ApiKey, type Scope, type Standing } from './key';

/** Limits of a key that sets none (docs/reference/limits-and-budgets.md). */
export const DEFAULT_LIMITS = { rpm: 600, tpm: 1_000_000 } as const;

export const standingWords: Readonly<Record<Standing, string>> = {
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
};

export const text = {
  title: 'Keys',
  purpose: 'Who can call. A key acts for the whole organization, or for one project.',
  caption: 'API keys',
  create: 'Create key',
  emptyTitle: 'No keys yet',
  empty: 'A program calls models, or this API, with a key.',
  emptyPage: 'None on this page.',
  what: 'keys',
  columns: {
    name: 'Name',
    project: 'Project',
    scopes: 'Scopes',
    limits: 'Limits a minute',
    spend: 'Spend, 30 days',
    lastUsed: 'Last used',
    expires: 'Expires',
    state: 'State',
  },
  hints: {
    limits: 'Calls and estimated tokens a minute, with the ceilings of the organization.',
    spend: 'Charged in the last 30 days (UTC).',
    lastUsed: 'Up to a minute behind.',
  },
  filters: { q: 'Name or prefix', state: 'State', project: 'Project', purpose: 'Purpose' },
  wholeOrganization: 'Whole organization',
  never: 'Never',
  playground: 'Playground',
  inferenceOnly: 'Inference only',
  someScopes: (scopes: readonly Scope[]): string =>
    scopes.length === 1 && scopes[0] !== undefined
      ? permissionWords[scopes[0]]
      : `${formatCount(scopes.length)} scopes`,
  limits: ({ effective_rate_limit: { rpm, tpm } }: ApiKey): string =>
    `${formatCompact(rpm)} calls · ${formatCompact(tpm)} tokens`,

  form: {
    title: 'Create key',
    replaceTitle: 'Replace key',
    replaceNote:
      'The new key is made like the old one, which works until you revoke it. Move your programs first.',
    name: 'Name',
    nameHint: 'Of the program that will use it.',
    project: 'Project',
    projectHint: 'A key of a project sees that project alone, and is bound to it for good.',
    scopes: 'Scopes',
    presets: {
      inference: { label: 'Inference only', note: 'It can call models, and nothing else.' },
      chosen: {
        label: 'Choose scopes',
        note: 'It can do what you tick. Only what your role holds is offered.',
      },
    },
    expiry: 'Expires',
    expiryHint: 'Leave it empty for a key that does not expire.',
    rpm: 'Calls a minute',
    tpm: 'Estimated tokens a minute',
    limitHint: (standard: number): string =>
      `Empty: the default, ${formatCount(standard)}. The ceilings of the organization hold besides.`,
    submit: 'Create key',
    noScope: 'Choose at least one scope.',
    noName: 'Give it a name.',
  },
  secret: { title: 'Save your key', label: 'API key' },

  key: {
    parent: 'Keys',
    title: 'Key',
    what: 'key',
    facts: 'Facts',
    id: 'Id',
    prefix: 'Begins with',
    project: 'Project',
    purpose: 'Purpose',
    created: 'Created',
    createdBy: 'Created by',
    withInstallation: 'The installation',
    expires: 'Expires',
    lastUsed: 'Last used',
    revoked: 'Revoked',
    replaces: 'Replaces',
    replacedBy: 'Replaced by',
    scopes: 'Scopes',
    limits: 'What limits it',
    limitsPurpose: 'A call must fit all of these.',
    limitsHidden:
      'Budgets and the wallet of the organization limit it too. Your role cannot see all of them.',
    usageEmpty: 'No call of this key has ended in the last 30 days.',
    requests: 'Open its requests',
    audit: 'What was changed',
    auditEmpty: 'Nothing was changed since it was created.',
    edit: 'Change',
    replace: 'Replace',
    revoke: 'Revoke',
    revokedReason: 'It is revoked for good.',
  },
  edit: {
    title: 'Change key',
    save: 'Save',
    useDefault: 'Use default',
    saved: 'Key changed.',
    nothing: 'Nothing is changed.',
  },
  revoke: {
    title: 'Revoke key',
    effect: 'Its next call is refused with 401. A revoked key cannot be made active again.',
    lastUse: {
      last: 'Last used',
      never: 'No use of it is known. Uses are shown up to a minute late.',
      reading: 'Reading when it was last used …',
      unknown: 'When it was last used could not be read.',
    },
    action: 'Revoke key',
    done: 'Key revoked.',
  },
  limitsOf: {
    rates: 'Rate limits',
    unit: 'A minute',
    key: 'This key',
    effect: 'In effect',
    effectHint: 'Never above the ceilings of the organization.',
    all: 'All keys together',
    allHint: 'The ceiling of the organization, which all its keys share.',
    unknown: 'Not known',
    rpm: 'Calls',
    tpm: 'Estimated tokens',
    wallet: 'Wallet of the organization, left for new calls:',
    own: (own: number | null, standard: number): string =>
      own === null ? `Default (${formatCount(standard)})` : formatCount(own),
  },
  budgets: {
    caption: 'Budgets that bind it',
    none: 'No budget binds this key.',
    name: 'Budget',
    scope: 'Of',
    spent: 'Spent',
    lag: 'Up to a minute behind.',
    left: 'Left',
    resets: 'Resets',
    action: 'When it is used up',
    warns: 'Warns',
    blocks: 'Blocks calls',
    blocking: 'Blocking calls',
  },
  audit: {
    caption: 'Changes',
    all: 'Open in the audit log',
    at: 'When',
    action: 'What',
    actor: 'Who',
    actors: {
      user: 'A user',
      api_key: 'A key',
      oauth_app: 'An OAuth app',
      operator: 'The operator',
      system: 'The service',
    },
    changes: 'Changed',
    set: (field: string, to: string): string => `${field}: ${to}`,
    change: (field: string, from: string, to: string): string => `${field}: ${from} → ${to}`,
    nothing: 'nothing',
  },
} as const;
