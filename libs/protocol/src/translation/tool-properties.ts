import { isRecord, type JsonRecord } from '../json/byte-text';

/** The `parameters` of a function: of a chat tool inside of `function`, else beside the name. */
const parametersIn = (tool: JsonRecord): unknown =>
  isRecord(tool['function']) ? tool['function']['parameters'] : tool['parameters'];

/**
 * Whether OpenAI would refuse the schema of a function: "object schema missing properties", or for an empty one "schema must be
 * a JSON Schema of 'type: \"object\"'".
 */
export const lacksProperties = (schema: unknown): schema is JsonRecord =>
  isRecord(schema) &&
  (schema['type'] === 'object' || Object.keys(schema).length === 0) &&
  !isRecord(schema['properties']);

/** The schema of a function with the `properties` that OpenAI requires of an object. */
export const schemaWithProperties = (schema: unknown): unknown =>
  lacksProperties(schema) ? { ...schema, type: 'object', properties: {} } : schema;

const LISTS = ['tools', 'functions'] as const;

export const hasBareTool = (body: JsonRecord): boolean =>
  LISTS.some((list) => toolsIn(body[list]).some((tool) => lacksProperties(parametersIn(tool))));

/** The lists of tools with `properties` in every schema. It means the same, so nothing is told. */
export function withProperties(body: JsonRecord): JsonRecord {
  if (!hasBareTool(body)) return {};
  const changed = LISTS.filter((list) => Array.isArray(body[list])).map((list) => [
    list,
    (body[list] as readonly unknown[]).map(completed),
  ]);
  return Object.fromEntries(changed) as JsonRecord;
}

function completed(tool: unknown): unknown {
  if (!isRecord(tool) || !lacksProperties(parametersIn(tool))) return tool;
  const parameters = schemaWithProperties(parametersIn(tool));
  return isRecord(tool['function'])
    ? { ...tool, function: { ...tool['function'], parameters } }
    : { ...tool, parameters };
}

const toolsIn = (list: unknown): readonly JsonRecord[] => (Array.isArray(list) ? list.filter(isRecord) : []);
