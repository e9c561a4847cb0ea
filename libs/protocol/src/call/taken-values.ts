import { isRecord, type JsonRecord } from '../json/byte-text';

/**
 * The values that a model takes of some parameters, by their paths in its provider's protocol
 * (docs/reference/models-and-catalog.md#what-a-model-takes).
 */
export interface TakenValues {
  /** The only values that it takes, by path (`temperature`, `thinking.type`). It takes any value of other parameters. */
  readonly values: Readonly<Record<string, readonly unknown[]>>;
  /** Of the parameters of each list it takes one. The first one that is set goes out. */
  readonly oneOf: readonly (readonly string[])[];
}

/** Names of chat completions that the responses protocol has inside of another field. */
const RESPONSE_PATHS: Readonly<Record<string, string>> = {
  reasoning_effort: 'reasoning.effort',
  verbosity: 'text.verbosity',
};

/** Fields that the service sets itself. Where one is not taken, it sends another name for the same, or does without: nobody is told. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['max_tokens', 'max_completion_tokens', 'stream_options']);

/** The values that a caller can rely on: without the fields that the service sets in another way. */
export const valuesForCallers = ({ values }: TakenValues): TakenValues['values'] =>
  Object.fromEntries(Object.entries(values).filter(([path]) => !OWN_FIELDS.has(path)));

/** True where a model takes no value at all of a field. */
export const takesNone = (takes: TakenValues | undefined, field: string): boolean =>
  takes?.values[field]?.length === 0;

/** The fields of a body, and members of fields, that the model would refuse. */
export function refusedPaths(body: JsonRecord, { values, oneOf }: TakenValues): readonly string[] {
  const refused: string[] = [];
  for (const [path, taken] of Object.entries(values)) {
    if (OWN_FIELDS.has(path)) continue;
    for (const one of [path, RESPONSE_PATHS[path]]) {
      const value = one === undefined ? null : valueAt(body, one);
      if (one !== undefined && value !== null && !taken.includes(value)) refused.push(whole(one));
    }
  }
  for (const names of oneOf) {
    const set = names.filter((name) => valueAt(body, name) !== null && !refused.includes(name));
    refused.push(...set.slice(1));
  }
  return refused;
}

/** Null for a value that is not set. */
function valueAt(body: JsonRecord, path: string): unknown {
  const [field = '', member] = path.split('.');
  const value = body[field] ?? null;
  if (member === undefined) return value;
  return isRecord(value) ? (value[member] ?? null) : null;
}

/** Without its `type` an object means nothing, so it goes as a whole. */
const whole = (path: string): string => path.replace(/\.type$/, '');
