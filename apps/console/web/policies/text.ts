import { formatList } from '../format/numbers';
import { visibleText } from '../format/visible-text';
import { type PolicyField, type PolicyLevel, type Subject } from './policy';

export const levelWords: Readonly<Record<PolicyLevel, string>> = {
  organization: 'Organization',
  project: 'Project',
  key: 'Key',
};

export const fieldWords: Readonly<Record<PolicyField, string>> = {
  allowed_providers: 'Allowed providers',
  denied_providers: 'Denied providers',
  allowed_regions: 'Allowed regions',
  denied_regions: 'Denied regions',
  allowed_models: 'Allowed models',
  denied_models: 'Denied models',
  allowed_operations: 'Allowed operations',
  denied_operations: 'Denied operations',
  allowed_ips: 'Allowed addresses',
  require_zero_retention: 'Zero retention only',
  require_end_user: 'End user required',
  max_output_tokens: 'Max output tokens per call',
  max_cost_nanos: 'Max cost per call',
  end_user_rate_limit_rpm: 'Requests per minute per end user',
  end_user_rate_limit_tpm: 'Tokens per minute per end user',
  rate_limit_rpm: 'Requests per minute, project',
  rate_limit_tpm: 'Tokens per minute, project',
  sort: 'Order',
  max_attempts: 'Maximum attempts',
  credential_mode: 'Credentials',
  affinity: 'Affinity',
  rollouts: 'Rollouts',
  retention: 'Data retention',
};

export const subjectWords: Readonly<Record<Subject, { title: string; one: string; many: string }>> = {
  providers: { title: 'Providers', one: 'provider', many: 'providers' },
  regions: { title: 'Regions', one: 'region', many: 'regions' },
  models: { title: 'Models', one: 'model', many: 'models' },
  operations: { title: 'Operations', one: 'operation', many: 'operations' },
};

export const sortWords = {
  price: { label: 'Price', note: 'Cheapest endpoint first (input plus output price).' },
  latency: { label: 'Latency', note: 'Fastest first token first, as measured.' },
  throughput: {
    label: 'Throughput',
    note: 'Most tokens per second first, as measured.',
  },
} as const;
export const credentialModeWords = {
  own_first: { label: 'Yours first', note: 'Your credentials where you have them, then the platform’s.' },
  own_only: { label: 'Yours only', note: 'Your credentials, and providers that need none.' },
  platform_only: {
    label: 'The platform’s only',
    note: 'The platform’s credentials, and providers that need none.',
  },
} as const;
export const affinityWords = {
  auto: {
    label: 'Where the cache is cheaper',
    note: 'A conversation stays with the endpoint and credential that answered it, if reading the prompt cache costs less than input.',
  },
  always: { label: 'Always', note: 'At every endpoint. For your own servers with a prompt cache.' },
  off: { label: 'Off', note: 'Every call follows the order of endpoints.' },
} as const;
export const retentionWords = {
  none: { label: 'Billing data only', note: 'No labels and no error messages.' },
  metadata: { label: 'Metadata', note: 'Labels and error messages. No prompts or outputs.' },
  content: { label: 'Content', note: 'Same as metadata. This service never stores prompts or outputs.' },
} as const;
export const operationWords = {
  chat_completions: 'Chat completions',
  messages: 'Messages',
  responses: 'Responses',
  embeddings: 'Embeddings',
} as const;

/** `a, b, and c`; without names `none`. */
export const allNames = (all: readonly string[]): string =>
  all.length === 0 ? 'none' : formatList(all.map(visibleText));

/** How many names a sentence lists before it counts the rest. */
const NAMED = 5;
/** `a, b, and 3 more`. */
export const someNames = (all: readonly string[]): string =>
  all.length <= NAMED
    ? formatList(all.map(visibleText))
    : formatList([...all.slice(0, NAMED).map(visibleText), `${String(all.length - NAMED)} more`]);

export const text = {
  lists: {
    all: 'All',
    only: 'Only these…',
    except: 'All but these…',
    mode: (title: string) => `Allowed ${title.toLowerCase()}`,
    onlyNone: (many: string) => `No ${many} allowed. All calls are refused.`,
    exceptNone: (many: string) => `No ${many} excluded yet.`,
    besides: 'Always denied:',
    add: (one: string) => `Add a ${one}`,
    remove: (name: string) => `Remove ${visibleText(name)}`,
    missing: 'not in the catalog',
    addMissing: 'Not in the catalog yet. It is saved anyway.',
  },
  addresses: {
    title: 'Addresses',
    mode: 'Allowed addresses',
    any: 'Any address',
    only: 'Only these…',
    list: 'Addresses and ranges',
    hint: 'One per line, for example 192.0.2.0/24 or 2001:db8::7.',
    unlisted: 'Calls from any other address fail as if the key were revoked (401).',
    nobody: 'No addresses listed: the key cannot be used.',
  },
  noLimit: 'Leave empty for no limit.',
  diff: {
    all: 'all',
    default: 'no maximum',
    asAbove: 'inherited',
    noLimit: 'no limit',
    names: allNames,
    yes: 'yes',
    no: 'no',
  },
} as const;
