import { formatDuration, formatList, formatPlural } from '../../format/numbers';
import { pricePerMillion } from '../../format/price';
import { visibleText } from '../../format/visible-text';
import { type Simulation } from '../../calls/simulation';
import { type PolicyField, type Subject } from './policy';

type Attempt = Simulation['attempts'][number];
type Rule = NonNullable<Attempt['placed_by']>;

export const fieldWords: Readonly<Record<PolicyField, string>> = {
  allowed_providers: 'Allowed providers',
  denied_providers: 'Denied providers',
  allowed_regions: 'Allowed regions',
  denied_regions: 'Denied regions',
  allowed_models: 'Allowed models',
  denied_models: 'Denied models',
  allowed_operations: 'Allowed operations',
  denied_operations: 'Denied operations',
  require_zero_retention: 'Zero retention only',
  require_end_user: 'End user required',
  max_output_tokens: 'Output tokens of a call',
  max_cost_nanos: 'Cost of a call',
  end_user_rate_limit_rpm: 'Requests per minute of an end user',
  end_user_rate_limit_tpm: 'Tokens per minute of an end user',
  sort: 'Order',
  max_attempts: 'Attempts',
  credential_mode: 'Credentials',
  retention: 'Kept of a call',
};

/** The fields of a call that decide which endpoints it can use. */
export const callWords: Readonly<Record<string, string | undefined>> = {
  operation: 'the route',
  model: 'the model',
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

const credentialWords: Readonly<Record<Attempt['credential'], string>> = {
  own: 'your credential',
  platform: 'the platform’s credential',
  none: 'no credential needed',
};
const firstWords: Readonly<Record<Rule, string>> = {
  parameters: 'First because it loses the least of the call.',
  own_credential: 'First because it takes a credential of yours.',
  price: 'First because cheapest.',
  latency: 'First because fastest to answer, or not measured yet.',
  throughput: 'First because it writes fastest, or is not measured yet.',
  native_protocol: 'First because it speaks the protocol of the call.',
  catalog_order: 'First in the order of the catalog.',
};
const laterWords: Readonly<Record<Rule, string>> = {
  parameters: 'Behind because it loses more of the call.',
  own_credential: 'Behind because the one before takes a credential of yours.',
  price: 'Behind because dearer.',
  latency: 'Behind because slower to answer.',
  throughput: 'Behind because it writes more slowly.',
  native_protocol: 'Behind because the call is translated for it.',
  catalog_order: 'Behind in the order of the catalog.',
};

const names = (all: readonly string[]): string =>
  all.length === 0 ? 'none' : formatList(all.map(visibleText));
/** How many names a sentence lists before it counts the rest. */
const NAMED = 5;
const someNames = (all: readonly string[]): string =>
  all.length <= NAMED
    ? formatList(all.map(visibleText))
    : formatList([...all.slice(0, NAMED).map(visibleText), `${String(all.length - NAMED)} more`]);

/** The price of a million tokens; an amount below a nano of a dollar has no decimal notation of its own. */
const perMillion = (nanos: number): string =>
  pricePerMillion(String(nanos)) ?? `${String(nanos)} nanos a token`;

export const text = {
  title: 'Routing',
  purpose: 'Which endpoints calls may use, and in which order they are tried.',
  policy: 'Policy',
  tabs: { label: 'Ways to edit the policy', form: 'Form', json: 'JSON' },
  readOnly: 'Your role can try changes in the simulator, but cannot save them.',
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
  zeroRetention: 'Zero retention only',
  zeroRetentionNote: 'Only endpoints whose provider keeps nothing of a call.',
  requireEndUser: 'End user required',
  requireEndUserNote: 'Calls that do not name their end user are refused.',
  noLimit: 'Empty: no limit.',
  outputHint: 'Empty: as many as the model has.',
  sort: 'Order of endpoints',
  attempts: 'Attempts of a call',
  attemptsHint: 'At most 10. Empty: as many as the call has endpoints.',
  credentials: 'Whose credentials',
  retention: 'What is kept of a call',
  json: 'Policy as JSON',
  jsonHint:
    'As PUT of the policy takes it. null allows all, [] allows none; an absent field is at its default.',
  jsonProblem: (field: string | null) =>
    field === null
      ? 'This is no JSON object.'
      : `${visibleText(field)} is no field of a policy with such a value.`,
  jsonReason: 'The JSON cannot be read.',
  changed: (count: number) => (count === 0 ? 'Nothing changed' : `${formatPlural(count, 'field')} changed`),
  discard: 'Discard changes',
  review: 'Review and save',
  effect: {
    title: 'Effect of the draft',
    same: 'The draft is the policy in force.',
    none: 'No model is called differently.',
    stops: (models: readonly string[]) =>
      `${formatPlural(models.length, 'model stops', 'models stop')} being callable: ${someNames(models)}.`,
    starts: (models: readonly string[]) =>
      `${formatPlural(models.length, 'model becomes', 'models become')} callable: ${someNames(models)}.`,
    firsts: (models: readonly string[]) =>
      `${formatPlural(models.length, 'model changes its', 'models change their')} first provider: ${someNames(models)}.`,
    whole: (count: number) => `Show ${formatPlural(count, 'model')}`,
    caption: 'Models that are called differently',
    model: 'Model',
    before: 'Now',
    after: 'With the draft',
    refused: (code: string) => `Refused: ${code}`,
    notCallable: 'Not callable',
  },
  simulator: {
    title: 'Simulator',
    purpose: 'What a call would do under the draft. Nothing is called.',
    model: 'Model',
    route: 'Route',
    anyRoute: 'First that the model has',
    parameters: 'Parameters of the call',
    parametersHint: 'Names of body fields with commas: temperature, stream',
    strict: 'Strict',
    strictNote: 'compat_mode strict refuses a call that would lose a parameter.',
    heading: 'What a call would do',
    noModel: 'Choose a model.',
    noModels: 'The catalog has no models.',
    attempts: 'Tried in this order',
    leftOut: 'Left out',
    refusal: (status: number, code: string) => `The call is refused with ${String(status)} ${code}.`,
    asOf: 'Circuits and speeds',
    noFacts: 'No edge has reported circuits or speeds yet.',
    unknownCircuit: 'circuit unknown',
    credential: (of: Attempt['credential']) => credentialWords[of],
    price: ({ input, output }: Attempt['price']) =>
      `${perMillion(input)} / ${perMillion(output)} per M tokens`,
    speed: (milliseconds: number | null) =>
      milliseconds === null ? 'speed not measured' : formatDuration(milliseconds),
    placedBy: (place: number, rule: Attempt['placed_by']) =>
      rule === null ? 'The only endpoint.' : place === 0 ? firstWords[rule] : laterWords[rule],
    omits: (parameters: readonly string[]) => `Omits or changes ${names(parameters)}.`,
    field: (field: string) => `Decided by ${field}`,
  },
  diff: {
    none: 'No differences.',
    all: 'all',
    default: 'as many as the plan has',
    noLimit: 'no limit',
    names,
    added: (all: readonly string[]) => `adds ${names(all)}`,
    removed: (all: readonly string[]) => `removes ${names(all)}`,
    fromTo: (from: string, to: string) => `${from} → ${to}`,
    yes: 'yes',
    no: 'no',
  },
  save: {
    title: (version: number) => `Save as version ${String(version)}`,
    restoreTitle: (restored: number, version: number) =>
      `Restore version ${String(restored)} as version ${String(version)}`,
    changes: 'Changes',
    cancel: 'Cancel',
    action: 'Save policy',
    anyway: 'Save anyway',
    waiting: 'The effect is being worked out.',
    unknownEffect: 'The effect on models is not known.',
    called: 'Models that stop, and were called in the last 7 days',
    calls: 'Calls',
    unknownCalls: 'Your role cannot see which of them were called.',
    done: (version: number) => `Saved as version ${String(version)}. Calls follow it within 30 seconds.`,
  },
  conflict: {
    title: 'Somebody else wrote the policy',
    written: (version: number) => `Version ${String(version)} was written by`,
    aKey: 'a key',
    since: 'since.',
    theirs: 'Their changes',
    yours: 'Your changes',
    both: (fields: readonly string[]) => `Both change ${formatList(fields)}: yours would win.`,
    compare: 'Compare',
    keep: (version: number) => `Put my changes on version ${String(version)}`,
    drop: 'Discard my changes',
    later: 'Go on editing',
  },
  versions: {
    title: 'Versions',
    caption: 'Versions of the policy',
    empty: 'The default policy was never changed.',
    version: 'Version',
    by: 'Written by',
    at: 'When',
    changes: 'Changes to the one before',
    actions: 'Actions',
    current: 'In force',
    restore: 'Restore',
    restoreOne: (version: number) => `Restore version ${String(version)}`,
    name: (version: number) => `Version ${String(version)}`,
    reading: '…',
  },
  version: {
    title: 'Policy version',
    what: 'version',
    parent: 'Routing',
    content: 'What it says',
    before: 'Changes to the version before',
    inForce: (version: number) => `From this version to version ${String(version)}, which is in force`,
    isCurrent: 'This version is in force.',
    id: 'Id',
    by: 'Written by',
    at: 'When',
    aKey: 'A key',
  },
} as const;
