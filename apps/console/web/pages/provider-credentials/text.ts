import { type Credential } from './credential';

export const stateWords: Readonly<Record<Credential['state'], string>> = {
  active: 'Active',
  disabled: 'Disabled',
  revoked: 'Revoked',
  compromised: 'Compromised',
};

export const healthWords: Readonly<Record<Credential['health'], string>> = {
  ok: 'OK',
  cooling: 'Limited',
  refused: 'Refused',
};

export const text = {
  title: 'Provider credentials',
  purpose: 'Your API keys at providers. Secrets are stored encrypted and never shown again.',
  caption: 'Provider credentials',
  add: 'Add credential',
  what: 'provider credentials',
  emptyTitle: 'No credentials of your own',
  first: 'Add your first credential',
  empty:
    'With your own credential, the provider bills you directly. Without one, calls use the platform’s credentials.',
  columns: {
    label: 'Label',
    provider: 'Provider',
    last4: 'Ends with',
    state: 'State',
    weight: 'Weight',
    health: 'Health',
    headroom: 'Rate limit left',
    rates: 'Limits here',
    rotated: 'Secret replaced',
    refused: 'Last refused by the provider',
    created: 'Added',
    actions: 'Actions',
  },
  hints: {
    weight:
      'Its share of the provider’s calls, beside the weights of the others. 0 is used only after all others.',
    health: 'As the gateway last heard from the provider.',
    headroom: 'What is left of the provider’s rate limits for the model that has the least.',
    rates: 'What this gateway may send with it.',
    refused: 'When the provider last refused it. Told once an hour.',
  },
  spare: 'Spare',
  unknown: 'Not known',
  retry: 'Next try',
  limitedModels: (models: string): string => `Limited for ${models}.`,
  noLimit: 'None',
  rpm: (count: string): string => `${count} requests/min`,
  tpm: (count: string): string => `${count} tokens/min`,
  never: 'Never',
  tooShort: 'Too short to show',
  ending: (last4: string): string => `…${last4}`,
  filters: { provider: 'Provider', state: 'State' },
  actionsOf: (label: string): string => `Actions of ${label}`,
  finalReason: 'It can no longer be used. Add another one.',
  providers: {
    title: 'By provider',
    caption: 'Credentials by provider',
    purpose: 'Calls with your own credentials are billed to you by the provider.',
    provider: 'Provider',
    yours: 'Yours',
    share: (label: string, percent: string): string => `${label} (${percent})`,
    spare: (label: string): string => `${label} (spare)`,
    use: 'Calls use',
    none: 'None',
    mode: 'The routing policy:',
    modes: {
      own_first: 'your credentials first, then the platform’s.',
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
    labelHint: 'A name to recognize it.',
    secret: 'Secret',
    secretHint: 'Your API key at the provider. It is stored encrypted and never shown again.',
    submit: 'Add credential',
    done: 'Credential added.',
    noProvider: 'Choose a provider.',
    noLabel: 'Give it a label.',
    noSecret: 'Paste the secret.',
  },
  pool: {
    weight: 'Weight',
    weightHint:
      '0 to 1,000: its share of the provider’s calls, beside the weights of your others. 0 is used only after all others.',
    rpm: 'Requests per minute',
    tpm: 'Tokens per minute',
    rateHint: 'Leave empty for the provider’s own limit.',
  },
  edit: {
    item: 'Edit',
    title: 'Edit credential',
    action: 'Save',
    done: 'Credential saved.',
  },
  rotate: {
    title: 'Replace the secret',
    action: 'Replace secret',
    note: 'The id stays the same. New calls use the new secret within seconds. Running calls finish with the old one.',
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
        'Calls stop using it within seconds. This cannot be undone. Owners and webhooks receive the event credential.compromised. Delete the key at the provider now: anyone who has it can still use it there. Then add a new credential.',
      done: 'Credential marked as compromised.',
    },
  },
  lastRefusal: {
    last: 'Last refused by the provider',
    never: 'The provider has not refused it.',
    reading: 'Loading whether the provider refused it…',
    unknown: 'Could not load whether the provider refused it.',
  },
} as const;
