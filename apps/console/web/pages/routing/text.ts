import { formatDuration, formatList, formatPlural } from '../../format/numbers';
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
  parameters: 'First because it loses the least of the call.',
  own_credential: 'First because it takes a credential of yours.',
  price: 'First because cheapest.',
  latency: 'First because fastest to answer, or not measured yet.',
  throughput: 'First because it writes fastest, or is not measured yet.',
  native_protocol: 'First because it speaks the protocol of the call.',
  catalog_order: 'First in the order of the catalog.',
  rollout: 'First because a rollout moves calls there.',
};
const laterWords: Readonly<Record<Rule, string>> = {
  parameters: 'Behind because it loses more of the call.',
  own_credential: 'Behind because the one before takes a credential of yours.',
  price: 'Behind because dearer.',
  latency: 'Behind because slower to answer.',
  throughput: 'Behind because it writes more slowly.',
  native_protocol: 'Behind because the call is translated for it.',
  catalog_order: 'Behind in the order of the catalog.',
  rollout: 'There because a rollout moves calls there.',
};

/** The price of a million tokens; an amount below a nano of a dollar has no decimal notation of its own. */
const perMillion = (nanos: number): string =>
  pricePerMillion(String(nanos)) ?? `${String(nanos)} nanos a token`;

export const text = {
  title: 'Routing',
  purpose: 'Which endpoints calls may use, and in which order they are tried.',
  level: {
    label: 'Whose policy',
    effective: 'Effective',
    project: 'Project',
    key: 'Key',
    purposes: {
      organization: 'This policy applies to every call.',
      project:
        'This policy applies to the project’s calls. It can only take away from what the organization allows.',
      key: 'This policy applies to the key’s calls. It can only take away from what the organization and the project allow.',
    } satisfies Readonly<Record<PolicyLevel, string>>,
    whats: {
      organization: 'policy',
      project: 'project',
      key: 'key',
    } satisfies Readonly<Record<PolicyLevel, string>>,
    openProject: 'Open the project',
    openKey: 'Open the key',
    openEffective: 'Show the effective policy',
  },
  unchosen: {
    project: {
      title: 'Choose a project',
      body: 'A project’s policy narrows what its keys may call, below the policy of the organization.',
    },
    key: {
      title: 'Choose a key',
      body: 'A key’s policy narrows what one program may call, from which addresses, and what a call may cost.',
    },
  },
  archived: 'This project is archived. Its policy can be read, but not changed.',
  revoked: 'This key is revoked. Its policy can be read, but not changed.',
  policy: 'Policy',
  tabs: { label: 'Ways to edit the policy', form: 'Form', json: 'JSON' },
  readOnly: 'Your role can try changes in the simulator, but cannot save them.',
  zeroRetention: 'Zero retention only',
  zeroRetentionNote: 'Only endpoints whose provider keeps nothing of a call.',
  requireEndUser: 'End user required',
  requireEndUserNote: 'Calls that do not name their end user are refused.',
  outputHint: 'Empty: as many as the model has.',
  sort: 'Order of endpoints',
  attempts: 'Attempts of a call',
  attemptsHint: 'At most 10. Empty: as many as the call has endpoints.',
  credentials: 'Whose credentials',
  retention: 'What is kept of a call',
  retentionAbove: { label: 'As above', note: 'What the levels above say.' },
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
    empty: {
      organization: 'The default policy was never changed.',
      project: 'The project has no policy of its own, which takes nothing away.',
      key: 'The key has no policy of its own, which takes nothing away.',
    } satisfies Readonly<Record<PolicyLevel, string>>,
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
  together: {
    title: 'Effective policy',
    purpose:
      'What holds for a call when the policies of all levels are put together, and which level decided it.',
    organizationOnly: 'Without a project or key, this is the policy of the organization.',
    what: 'project or key',
    projectOfKey: 'The project is that of the key.',
    caption: 'Fields of the effective policy',
    field: 'Field',
    value: 'Value',
    decidedBy: 'Decided by',
    nobody: 'No policy takes anything away',
    version: (level: PolicyLevel, version: number) =>
      version === 0 ? `${levelWords[level]}, default` : `${levelWords[level]}, version ${String(version)}`,
    rates: 'Rate limits',
    ratesPurpose: 'Per minute. A call must fit all of them.',
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
    simulated: 'What a call does under these policies. Nothing is called.',
  },
  version: {
    title: 'Policy version',
    what: 'version',
    parents: {
      organization: 'Routing',
      project: 'Routing of the project',
      key: 'Routing of the key',
    } satisfies Readonly<Record<PolicyLevel, string>>,
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
