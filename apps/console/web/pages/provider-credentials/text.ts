import { type Credential } from './credential';

export const stateWords: Readonly<Record<Credential['state'], string>> = {
  active: 'Active',
  disabled: 'Disabled',
  revoked: 'Revoked',
  compromised: 'Compromised',
};

export const text = {
  title: 'Provider credentials',
  purpose: 'On whose account providers are called. Secrets are stored encrypted, and never shown again.',
  caption: 'Provider credentials',
  add: 'Add credential',
  what: 'provider credentials',
  emptyTitle: 'No credentials of your own',
  empty:
    'With a credential of your own, a provider bills you for your calls. Without one, calls use the platform’s where it has one.',
  columns: {
    label: 'Label',
    provider: 'Provider',
    last4: 'Ends with',
    state: 'State',
    rotated: 'Secret replaced',
    refused: 'Last refused by the provider',
    created: 'Added',
    actions: 'Actions',
  },
  hints: { refused: 'When the provider last refused it. Told once an hour.' },
  never: 'Never',
  tooShort: 'Too short to show',
  ending: (last4: string): string => `…${last4}`,
  filters: { provider: 'Provider', state: 'State' },
  actionsOf: (label: string): string => `Actions of ${label}`,
  finalReason: 'It is out of use for good. Add another one.',
  providers: {
    title: 'By provider',
    caption: 'Whose credential calls use',
    purpose: 'Calls with a credential of yours are billed to you by the provider.',
    provider: 'Provider',
    yours: 'Yours',
    use: 'Calls use',
    none: 'None',
    mode: 'The routing policy:',
    modes: {
      own_first: 'your credential first, then the platform’s.',
      own_only: 'your credentials alone.',
      platform_only: 'the platform’s credentials alone.',
    },
    change: 'Change it in Routing',
    uses: { own: 'Yours', platform: 'The platform’s', none: 'None' },
    more: 'Filter the list above',
  },
  addForm: {
    title: 'Add credential',
    provider: 'Provider',
    label: 'Label',
    labelHint: 'What you will know it by.',
    secret: 'Secret',
    secretHint: 'Your API key at the provider. It is stored encrypted, and never shown again.',
    submit: 'Add credential',
    done: 'Credential added.',
    noProvider: 'Choose a provider.',
    noLabel: 'Give it a label.',
    noSecret: 'Paste the secret.',
  },
  rotate: {
    title: 'Replace the secret',
    action: 'Replace secret',
    note: 'The id stays. Calls use the new secret within seconds; calls under way end with the old one.',
    done: 'Secret replaced.',
  },
  acts: {
    disable: {
      item: 'Disable',
      title: 'Disable credential',
      effect: 'Calls stop using it within seconds. It can be enabled again.',
      done: 'Credential disabled.',
    },
    enable: {
      item: 'Enable',
      title: 'Enable credential',
      effect: 'Calls use it again within seconds, as its weight says.',
      done: 'Credential enabled.',
    },
    revoke: {
      item: 'Revoke',
      title: 'Revoke credential',
      effect:
        'Calls stop using it within seconds, and it cannot be enabled again. The provider is not told: delete the key there yourself.',
      done: 'Credential revoked.',
    },
    compromised: {
      item: 'Mark compromised',
      title: 'Mark compromised',
      effect:
        'Calls stop using it within seconds, for good; owners and webhooks are told by the event credential.compromised. Delete the key at the provider now: whoever has it can still use it there. Then add a new credential.',
      done: 'Credential marked as compromised.',
    },
  },
  lastRefusal: {
    last: 'Last refused by the provider',
    never: 'The provider has not refused it.',
    reading: 'Reading whether the provider refused it …',
    unknown: 'Whether the provider refused it could not be read.',
  },
} as const;
