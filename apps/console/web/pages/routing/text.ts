import { formatDuration, formatList, formatPercent, formatPlural } from '../../format/numbers';
import { pricePerMillion } from '../../format/price';
import { visibleText } from '../../format/visible-text';
import { type Simulation } from '../../calls/simulation';
import { type PolicyLevel } from '../../policies/policy';
import { allNames, levelWords, someNames } from '../../policies/text';

type Attempt = Simulation['attempts'][number];
type Rule = NonNullable<Attempt['placed_by']>;

/** The fields of a call that decide which endpoints it can use. */
export const callWords: Readonly<Record<string, string | undefined>> = {
  operation: 'the route',
  model: 'the model',
};

const credentialWords: Readonly<Record<Attempt['credential'], string>> = {
  own: 'your credential',
  platform: 'the platform’s credential',
  none: 'no credential needed',
};
const firstWords: Readonly<Record<Rule, string>> = {
  parameters: 'First because it supports the most parameters of the call.',
  own_credential: 'First because it uses your credential.',
  affinity: 'First because it answered the conversation last.',
  rollout: 'First because of a rollout.',
  price: 'First because cheapest.',
  latency: 'First because fastest to answer, or not measured yet.',
  throughput: 'First because it writes fastest, or is not measured yet.',
  native_protocol: 'First because no translation is needed.',
  catalog_order: 'First in catalog order.',
};
const laterWords: Readonly<Record<Rule, string>> = {
  parameters: 'Later because it supports fewer parameters of the call.',
  own_credential: 'Later because the one before uses your credential.',
  affinity: 'Later because the one before answered the conversation last.',
  rollout: 'Later because of a rollout.',
  price: 'Later because more expensive.',
  latency: 'Later because slower to answer.',
  throughput: 'Later because it writes more slowly.',
  native_protocol: 'Later because the call must be translated.',
  catalog_order: 'Later in catalog order.',
};

/** The price of a million tokens; an amount below a nano of a dollar has no decimal notation of its own. */
const perMillion = (nanos: number): string =>
  pricePerMillion(String(nanos)) ?? `${String(nanos)} nanos per token`;

interface MovedCalls {
  readonly share_bps: number;
  readonly by: 'end_user' | 'session' | 'api_key';
  readonly model: string;
  readonly to: { readonly model?: string; readonly provider?: string; readonly region?: string };
}
const subjects = { end_user: 'the end users', session: 'the sessions', api_key: 'the keys' } as const;

export const text = {
  title: 'Routing',
  purpose: 'Which endpoints calls may use, and in what order.',
  level: {
    label: 'Policy level',
    effective: 'Effective',
    project: 'Project',
    key: 'Key',
    purposes: {
      organization: 'Applies to every call.',
      project: 'Applies to calls of the project. It can only restrict the organization policy further.',
      key: 'Applies to calls with the key. It can only restrict the organization and project policies further.',
    } satisfies Readonly<Record<PolicyLevel, string>>,
    whats: {
      organization: 'policy',
      project: 'project',
      key: 'key',
    } satisfies Readonly<Record<PolicyLevel, string>>,
    openProject: 'View project',
    openKey: 'View key',
    openEffective: 'Show the effective policy',
  },
  unchosen: {
    project: {
      title: 'Choose a project',
      body: 'A project policy restricts the calls of a project, on top of the organization policy.',
    },
    key: {
      title: 'Choose a key',
      body: 'A key policy restricts which models one key can call, from which addresses, and at what cost.',
    },
  },
  archived: 'This project is archived. Its policy is read-only.',
  revoked: 'This key is revoked. Its policy is read-only.',
  policy: 'Policy',
  tabs: { label: 'Editor', form: 'Form', json: 'JSON' },
  readOnly: 'Your role can try changes in the simulator, but cannot save them.',
  zeroRetention: 'Zero retention only',
  zeroRetentionNote: 'Only endpoints whose provider stores no data.',
  requireEndUser: 'End user required',
  requireEndUserNote: 'Calls that do not name their end user are refused.',
  outputHint: 'Leave empty for the model’s maximum.',
  sort: 'Order of endpoints',
  attempts: 'Maximum attempts',
  attemptsHint: 'At most 10. Leave empty to try every endpoint.',
  credentials: 'Credentials',
  affinity: 'Affinity of conversations',
  retention: 'Data retention',
  retentionAbove: { label: 'Inherit', note: 'Use the setting of the organization and project.' },
  json: 'Policy as JSON',
  jsonHint: 'The body of PUT …/policy. null allows all, [] allows none. Missing fields use their defaults.',
  jsonProblem: (field: string | null) =>
    field === null
      ? 'This is not a JSON object.'
      : `${visibleText(field)} is not a policy field, or its value is not valid.`,
  jsonReason: 'The JSON cannot be read.',
  changed: (count: number) => (count === 0 ? 'Nothing changed' : `${formatPlural(count, 'field')} changed`),
  discard: 'Discard changes',
  review: 'Review and save',
  effect: {
    title: 'Effect of the draft',
    same: 'No changes yet.',
    none: 'No models are affected.',
    stops: (models: readonly string[]) =>
      `${formatPlural(models.length, 'model stops', 'models stop')} being callable: ${someNames(models)}.`,
    starts: (models: readonly string[]) =>
      `${formatPlural(models.length, 'model becomes', 'models become')} callable: ${someNames(models)}.`,
    firsts: (models: readonly string[]) =>
      `${formatPlural(models.length, 'model changes its', 'models change their')} first provider: ${someNames(models)}.`,
    whole: (count: number) => `Show ${formatPlural(count, 'model')}`,
    caption: 'Affected models',
    model: 'Model',
    before: 'Now',
    after: 'With the draft',
    refused: (code: string) => `Refused: ${code}`,
    notCallable: 'Not callable',
  },
  simulator: {
    title: 'Simulator',
    purpose: 'What a call would do under the draft. No call is made.',
    model: 'Model',
    route: 'Route',
    anyRoute: 'Default route',
    parameters: 'Parameters',
    parametersHint: 'Body fields, separated by commas: temperature, stream',
    strict: 'Strict',
    strictNote: 'Refuse calls that would lose a parameter (compat_mode: strict).',
    heading: 'What a call would do',
    noModel: 'Choose a model.',
    noModels: 'The catalog has no models.',
    attempts: 'Tried in this order',
    leftOut: 'Left out',
    refusal: (status: number, code: string) => `The call is refused with ${String(status)} ${code}.`,
    asOf: 'Circuits and speeds',
    noFacts: 'No circuit or speed data yet.',
    unknownCircuit: 'circuit unknown',
    credential: (of: Attempt['credential']) => credentialWords[of],
    price: ({ input, output }: Attempt['price']) =>
      `${perMillion(input)} / ${perMillion(output)} per M tokens`,
    speed: (milliseconds: number | null) =>
      milliseconds === null ? 'speed not measured' : formatDuration(milliseconds),
    placedBy: (place: number, rule: Attempt['placed_by']) =>
      rule === null ? 'The only endpoint.' : place === 0 ? firstWords[rule] : laterWords[rule],
    omits: (parameters: readonly string[]) => `Omits or changes ${allNames(parameters)}.`,
    field: (field: string) => `Decided by ${field}`,
  },
  diff: {
    none: 'No differences.',
    added: (all: readonly string[]) => `adds ${allNames(all)}`,
    removed: (all: readonly string[]) => `removes ${allNames(all)}`,
    fromTo: (from: string, to: string) => `${from} → ${to}`,
  },
  save: {
    title: (version: number) => `Save as version ${String(version)}`,
    restoreTitle: (restored: number, version: number) =>
      `Restore version ${String(restored)} as version ${String(version)}`,
    changes: 'Changes',
    cancel: 'Cancel',
    action: 'Save policy',
    anyway: 'Save anyway',
    waiting: 'Calculating the effect…',
    unknownEffect: 'The effect on models could not be calculated.',
    called: 'Models called in the last 7 days that will stop working',
    calls: 'Calls',
    unknownCalls: 'Your role cannot see recent calls.',
    done: (version: number) => `Saved as version ${String(version)}. It applies to calls within 30 seconds.`,
  },
  conflict: {
    title: 'The policy changed while you were editing',
    written: (version: number) => `Version ${String(version)} was written by`,
    aKey: 'a key',
    since: 'since.',
    theirs: 'Their changes',
    yours: 'Your changes',
    both: (fields: readonly string[]) => `Both change ${formatList(fields)}. Yours would replace theirs.`,
    compare: 'Compare',
    keep: (version: number) => `Apply my changes to version ${String(version)}`,
    drop: 'Discard my changes',
    later: 'Keep editing',
  },
  versions: {
    title: 'Versions',
    caption: 'Versions of the policy',
    empty: {
      organization: 'The default policy has not been changed.',
      project: 'No project policy yet.',
      key: 'No key policy yet.',
    } satisfies Readonly<Record<PolicyLevel, string>>,
    version: 'Version',
    by: 'Saved by',
    at: 'When',
    changes: 'Changes',
    actions: 'Actions',
    current: 'Current',
    restore: 'Restore',
    restoreOne: (version: number) => `Restore version ${String(version)}`,
    name: (version: number) => `Version ${String(version)}`,
    reading: '…',
  },
  rollouts: {
    title: 'Rollouts',
    purpose:
      'A rollout moves a share of a model’s calls elsewhere. Add and change rollouts in the JSON of the policy.',
    states: { running: 'Running', aborted: 'Aborted', completed: 'Completed', removed: 'Removed' },
    reasons: {
      error_rate: 'too many errors',
      latency: 'too slow',
      user: 'aborted by a user',
      ended: 'reached its end',
    },
    moves: ({ share_bps: bps, by, model, to }: MovedCalls): string =>
      `${formatPercent(bps / 10_000)} of ${subjects[by]} of ${visibleText(model)} go to ${formatList(
        [to.model, to.provider, to.region].flatMap((part) => (part === undefined ? [] : [visibleText(part)])),
      )}.`,
    started: 'Started',
    ended: 'ended',
    caption: (name: string): string => `Calls of rollout ${name}`,
    figure: 'Last 35 days',
    treatment: 'Moved calls',
    control: 'Other calls',
    none: '–',
    figures: {
      calls: 'Calls',
      failed: 'Failed',
      errorRate: 'Error rate',
      firstToken: 'Time to first token, p95',
      output: 'Output tokens',
      wallet: 'Charged to the wallet',
      provider: 'Charged to own accounts',
    },
    abort: {
      open: 'Abort',
      title: 'Abort this rollout?',
      action: 'Abort rollout',
      effect:
        'All its calls go back within seconds. This cannot be undone: start a new rollout under another name.',
      done: 'Rollout aborted.',
    },
  },
  together: {
    title: 'Effective policy',
    purpose: 'The combined policy of all levels, and which level decides each field.',
    organizationOnly: 'Without a project or key, this is the organization policy.',
    what: 'project or key',
    projectOfKey: 'The key’s project.',
    caption: 'Fields of the effective policy',
    field: 'Field',
    value: 'Value',
    decidedBy: 'Decided by',
    nobody: 'Default',
    version: (level: PolicyLevel, version: number) =>
      version === 0 ? `${levelWords[level]}, default` : `${levelWords[level]}, version ${String(version)}`,
    rates: 'Rate limits',
    ratesPurpose: 'Per minute. All of them apply.',
    ratesCaption: 'Rate limits of a call',
    scope: 'Scope',
    requests: 'Requests',
    tokens: 'Tokens',
    noLimit: 'No limit',
    scopes: {
      key: 'This key',
      org: 'All keys of the organization',
      project: 'All keys of the project',
      end_user: 'Each end user',
    },
    simulated: 'What a call would do under these policies. No call is made.',
  },
  version: {
    title: 'Policy version',
    what: 'version',
    parents: {
      organization: 'Routing',
      project: 'Routing of the project',
      key: 'Routing of the key',
    } satisfies Readonly<Record<PolicyLevel, string>>,
    content: 'Policy',
    before: 'Changes from the previous version',
    inForce: (version: number) => `Changes from this version to the current version ${String(version)}`,
    isCurrent: 'This is the current version.',
    id: 'Id',
    by: 'Saved by',
    at: 'When',
    aKey: 'A key',
  },
} as const;
