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
  max_output_tokens: 'Output tokens of a call',
  max_cost_nanos: 'Cost of a call',
  end_user_rate_limit_rpm: 'Requests per minute of an end user',
  end_user_rate_limit_tpm: 'Tokens per minute of an end user',
  rate_limit_rpm: 'Requests per minute of the project',
  rate_limit_tpm: 'Tokens per minute of the project',
  sort: 'Order',
  max_attempts: 'Attempts',
  credential_mode: 'Credentials',
  retention: 'Kept of a call',
};

export const subjectWords: Readonly<Record<Subject, { title: string; one: string; many: string }>> = {
  providers: { title: 'Providers', one: 'provider', many: 'providers' },
  regions: { title: 'Regions', one: 'region', many: 'regions' },
  models: { title: 'Models', one: 'model', many: 'models' },
  operations: { title: 'Operations', one: 'operation', many: 'operations' },
};

export const sortWords = {
  price: { label: 'Price', note: 'The cheapest endpoint first, by the price of input plus output.' },
  latency: { label: 'Latency', note: 'The endpoint first whose answers begin soonest, as measured.' },
  throughput: {
    label: 'Throughput',
    note: 'The endpoint first that writes the most tokens a second, as measured.',
  },
} as const;
export const credentialModeWords = {
  own_first: { label: 'Yours first', note: 'Yours where you have one, then those of the platform.' },
  own_only: { label: 'Yours only', note: 'Yours, and providers that need none.' },
  platform_only: {
    label: 'The platform’s only',
    note: 'Those of the platform, and providers that need none.',
  },
} as const;
export const retentionWords = {
  none: { label: 'Nothing but the books', note: 'No labels, and no message of an error.' },
  metadata: { label: 'Metadata', note: 'Labels and messages of errors. No prompt and no output.' },
  content: { label: 'Content', note: 'As metadata: this service stores no prompt and no output.' },
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
    mode: (title: string) => `${title} that may serve`,
    onlyNone: (many: string) => `Only these ${many}: none. Nothing can be called.`,
    exceptNone: (many: string) => `All but these ${many}: none yet, so all.`,
    besides: 'And never, even if allowed:',
    add: (one: string) => `Add a ${one}`,
    remove: (name: string) => `Remove ${visibleText(name)}`,
    missing: 'not in the catalog',
    addMissing: 'Not in the catalog. It is kept for when it is.',
  },
  addresses: {
    title: 'Addresses',
    mode: 'Addresses that may use the key',
    any: 'Any address',
    only: 'Only these…',
    list: 'Addresses and ranges',
    hint: 'One per line, for example 192.0.2.0/24 or 2001:db8::7.',
    unlisted: 'From any other address, calls with the key are answered like those of a revoked key (401).',
    nobody: 'No address is listed. Nobody can use the key.',
  },
  noLimit: 'Empty: no limit.',
  diff: {
    all: 'all',
    default: 'as many as the plan has',
    asAbove: 'as the levels above say',
    noLimit: 'no limit',
    names: allNames,
    yes: 'yes',
    no: 'no',
  },
} as const;
