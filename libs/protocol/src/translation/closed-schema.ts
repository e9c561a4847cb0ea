import { isRecord, type JsonRecord } from '../json/byte-text';
import { type Losses } from './loss';
import { recordIn } from './untyped-json';

/**
 * Keywords of a JSON schema that Anthropic's structured outputs take
 * (https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations).
 */
const TAKEN: ReadonlySet<string> = new Set([
  ...['type', 'title', 'description', 'default', 'enum', 'const', 'format', 'pattern'],
  ...['properties', 'required', 'additionalProperties', 'items', 'minItems'],
  ...['anyOf', 'allOf', '$ref', '$defs', 'definitions'],
]);
/** Keywords that say nothing about a value. */
const SILENT: ReadonlySet<string> = new Set(['$schema', '$id', '$comment']);
const FORMATS: ReadonlySet<unknown> = new Set([
  ...['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'],
]);
/** Members whose own members are schemas by name. */
const NAMED: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);
const LISTED: ReadonlySet<string> = new Set(['anyOf', 'allOf']);

interface ClosedSchema {
  readonly schema: unknown;
  /** The keywords that Anthropic takes in no such form. Empty where it takes the schema as it is. */
  readonly refused: readonly string[];
}

/**
 * A schema as Anthropic takes it, as its own SDKs send it: a keyword that it refuses stands in the description instead, for the
 * model to read, and every object is closed.
 */
export function closedSchema(schema: unknown): ClosedSchema {
  const refused = new Set<string>();
  const closed = close(schema, refused);
  return { schema: closed, refused: [...refused] };
}

/** The warning about a schema that was closed. */
export const closedMessage = (refused: readonly string[]): string =>
  `The provider takes no ${refused.map((keyword) => `\`${keyword.slice(0, 50)}\``).join(', ')} like that in a schema; it was told of them in a description.`;

function close(schema: unknown, refused: Set<string>): unknown {
  if (!isRecord(schema)) return schema;
  const kept: Record<string, unknown> = {};
  const said: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (SILENT.has(keyword)) continue;
    const name = keyword === 'oneOf' ? 'anyOf' : keyword;
    if (keyword !== name) refused.add(keyword);
    if (isTaken(name, value)) kept[name] = closeMember(name, value, refused);
    else {
      refused.add(keyword);
      said.push(`${keyword}: ${JSON.stringify(value)}`);
    }
  }
  if (isObject(schema) && kept['additionalProperties'] !== false) {
    refused.add('additionalProperties');
    kept['additionalProperties'] = false;
  }
  if (said.length === 0) return kept;
  const { description } = schema;
  const told = `{${said.join(', ')}}`;
  return { ...kept, description: typeof description === 'string' ? `${description}\n\n${told}` : told };
}

function isTaken(keyword: string, value: unknown): boolean {
  if (!TAKEN.has(keyword)) return false;
  if (keyword === 'minItems') return value === 0 || value === 1;
  if (keyword === 'format') return FORMATS.has(value);
  if (keyword === 'additionalProperties') return value === false;
  if (keyword === 'items') return isRecord(value);
  return true;
}

function closeMember(keyword: string, value: unknown, refused: Set<string>): unknown {
  if (NAMED.has(keyword)) {
    return Object.fromEntries(
      Object.entries(recordIn(value)).map(([name, one]) => [name, close(one, refused)]),
    );
  }
  if (LISTED.has(keyword) && Array.isArray(value)) return value.map((one) => close(one, refused));
  return keyword === 'items' ? close(value, refused) : value;
}

const isObject = ({ type, properties }: JsonRecord): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object')) || isRecord(properties);

const isStrict = (tool: unknown): tool is JsonRecord => isRecord(tool) && tool['strict'] === true;

const isOpen = (schema: unknown): boolean => closedSchema(schema).refused.length > 0;

export function hasOpenSchema({ output_config: config, output_format: format, tools }: JsonRecord): boolean {
  if (isRecord(config) && isOpen(recordIn(config['format'])['schema'])) return true;
  if (isRecord(format) && isOpen(format['schema'])) return true;
  return Array.isArray(tools) && tools.some((tool) => isStrict(tool) && isOpen(tool['input_schema']));
}

/** The formats and strict tools of a messages call with schemas as Anthropic takes them. */
export function closedFormat(body: JsonRecord, _target: unknown, losses: Losses): JsonRecord {
  if (!hasOpenSchema(body)) return {};
  const closed = (schema: unknown, param: string): unknown => {
    const { schema: taken, refused } = closedSchema(schema);
    if (refused.length > 0) losses.change(param, closedMessage(refused));
    return taken;
  };
  const withSchema = (format: unknown, param: string): JsonRecord => ({
    ...recordIn(format),
    schema: closed(recordIn(format)['schema'], param),
  });
  const { output_config: config, output_format: format, tools } = body;
  return {
    ...(isRecord(config) &&
      isRecord(config['format']) && {
        output_config: { ...config, format: withSchema(config['format'], 'output_config.format') },
      }),
    ...(isRecord(format) && { output_format: withSchema(format, 'output_format') }),
    ...(Array.isArray(tools) && {
      tools: tools.map((tool: unknown, index) =>
        isStrict(tool)
          ? { ...tool, input_schema: closed(tool['input_schema'], `tools[${String(index)}].input_schema`) }
          : tool,
      ),
    }),
  };
}
