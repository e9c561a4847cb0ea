import { isRecord, type JsonRecord } from '../json/byte-text';

/** The `parameters` of a function: of a chat tool inside of `function`, else beside the name. */
const parametersIn = (tool: JsonRecord): unknown =>
  isRecord(tool['function']) ? tool['function']['parameters'] : tool['parameters'];

/**
 * True where OpenAI would refuse the schema of a function: "object schema missing properties", or for an empty one "schema must be
 * a JSON Schema of 'type: \"object\"'".
 */
export const lacksProperties = (schema: unknown): schema is JsonRecord =>
  isRecord(schema) &&
  (schema['type'] === 'object' || Object.keys(schema).length === 0) &&
  !isRecord(schema['properties']);

/** True where the definition of a function has no schema at all, which several providers of OpenAI's protocol refuse. */
export const lacksParameters = (definition: unknown): boolean =>
  isRecord(definition) &&
  (definition['parameters'] ?? null) === null &&
  (definition['arguments'] ?? null) === null;

/** The schema of a function with the `properties` that OpenAI requires of an object. */
export const schemaWithProperties = (schema: unknown): unknown =>
  lacksProperties(schema) ? { ...schema, type: 'object', properties: {} } : schema;

/** The schema of a function's definition. One without parameters takes none, as a strict schema must say. */
export const parametersOf = ({ parameters, strict }: JsonRecord): unknown =>
  schemaWithProperties(
    parameters ?? (strict === true ? { type: 'object', additionalProperties: false } : {}),
  );

const LISTS = ['tools', 'functions'] as const;

export const hasBareTool = (body: JsonRecord): boolean =>
  LISTS.some((list) => toolsIn(body[list]).some((tool) => isBare(tool, list)));

/** A function of the responses protocol may have no schema. */
const isBare = (tool: JsonRecord, list: string): boolean =>
  lacksProperties(parametersIn(tool)) ||
  lacksParameters(tool['function']) ||
  (list === 'functions' && lacksParameters(tool));

/** The lists of tools with `properties` in every schema. It means the same, so nothing is told. */
export function withProperties(body: JsonRecord): JsonRecord {
  if (!hasBareTool(body)) return {};
  const changed = LISTS.filter((list) => Array.isArray(body[list])).map((list) => [
    list,
    (body[list] as readonly unknown[]).map((tool) =>
      isRecord(tool) && isBare(tool, list) ? completed(tool) : tool,
    ),
  ]);
  return Object.fromEntries(changed) as JsonRecord;
}

function completed(tool: JsonRecord): JsonRecord {
  const { function: definition } = tool;
  if (isRecord(definition)) return { ...tool, function: completed(definition) };
  return { ...tool, parameters: parametersOf(tool) };
}

const toolsIn = (list: unknown): readonly JsonRecord[] => (Array.isArray(list) ? list.filter(isRecord) : []);
