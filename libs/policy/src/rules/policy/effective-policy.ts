import { meetFields, type PolicyTriple } from './meet';
import {
  DEFAULT_KEY_POLICY_DOCUMENT,
  DEFAULT_POLICY_DOCUMENT,
  DEFAULT_PROJECT_POLICY_DOCUMENT,
  type PolicyFields,
} from './policy-document';
import { POLICY_LEVELS, type PolicyLevel } from './policy-level';

export type PolicyFieldName = keyof PolicyFields;

/** The value of a field that a call stands under. */
export interface EffectiveField {
  readonly value: PolicyFields[PolicyFieldName];
  /** The levels that hold the value; of lists, those that took something away. Empty where it is the default. */
  readonly decidedBy: readonly PolicyLevel[];
}

interface LevelValue {
  readonly level: PolicyLevel;
  readonly value: unknown;
}

/** Each field with the value that a call stands under, and the levels that decided it. */
export function effectivePolicy(triple: PolicyTriple): ReadonlyMap<PolicyFieldName, EffectiveField> {
  const documents = documentsOf(triple);
  const names = [...new Set(documents.flatMap(({ document }) => Object.keys(document)))] as PolicyFieldName[];
  return new Map(names.map((name) => [name, effectiveField(name, documents)]));
}

interface LevelDocument {
  readonly level: PolicyLevel;
  readonly document: PolicyFields;
}

const defaults: Readonly<Record<PolicyLevel, PolicyFields>> = {
  organization: DEFAULT_POLICY_DOCUMENT,
  project: DEFAULT_PROJECT_POLICY_DOCUMENT,
  key: DEFAULT_KEY_POLICY_DOCUMENT,
};

const documentsOf = (triple: PolicyTriple): readonly LevelDocument[] =>
  POLICY_LEVELS.map((level) => ({ level, document: triple[level] ?? defaults[level] }));

function effectiveField(name: PolicyFieldName, documents: readonly LevelDocument[]): EffectiveField {
  const values = documents
    .filter(({ document }) => Object.hasOwn(document, name))
    .map(({ level, document }): LevelValue => ({ level, value: document[name] }));
  const [value] = values
    .map((one) => ({ [name]: one.value }) as PolicyFields)
    .reduce<readonly PolicyFields[]>((met, one) => (met[0] ? [meetFields(met[0], one)] : [one]), [])
    .map((met) => met[name]);
  return { value, decidedBy: holders(name, values, value).map(({ level }) => level) };
}

function holders(
  name: PolicyFieldName,
  values: readonly LevelValue[],
  effective: unknown,
): readonly LevelValue[] {
  const taking = values.filter((one) => takesAway(name, one));
  if (name === 'retention') return retentionHolders(values, taking, effective);
  // Rollouts are of one level alone.
  if (name.startsWith('denied_') || name === 'rollouts') return taking;
  if (Array.isArray(effective)) return taking.filter((one) => narrows(one, taking, effective));
  return taking.filter(({ value }) => value === effective);
}

/** True where the value is none that allows all. Where the organization keeps only metadata, a lower `content` adds nothing. */
function takesAway(name: PolicyFieldName, { level, value }: LevelValue): boolean {
  if (name === 'retention' && level !== 'organization') return value !== null && value !== 'content';
  return JSON.stringify(value) !== JSON.stringify(defaults[level][name]);
}

/** An allowed list decides where it leaves out what another has, or is the result itself. */
function narrows({ value }: LevelValue, all: readonly LevelValue[], effective: readonly unknown[]): boolean {
  const own = new Set(value as readonly string[]);
  const isResult = own.size === new Set(effective).size && effective.every((name) => own.has(name as string));
  return isResult || all.some((other) => (other.value as readonly string[]).some((name) => !own.has(name)));
}

/** Where the organization's default is as strict, no level decides. */
function retentionHolders(
  values: readonly LevelValue[],
  taking: readonly LevelValue[],
  effective: unknown,
): readonly LevelValue[] {
  const isDefault = values.some(
    ({ level, value }) => level === 'organization' && value === DEFAULT_POLICY_DOCUMENT.retention,
  );
  if (isDefault && effective === DEFAULT_POLICY_DOCUMENT.retention) return [];
  return taking.filter(({ value }) => value === effective);
}
