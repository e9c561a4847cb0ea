import { type ParsedCall } from '../../call/parse-call';
import { isRecord, type JsonRecord } from '../../json/byte-text';
import { closedMessage, closedSchema } from '../closed-schema';
import { type Losses } from '../loss';
import { forEachRecord, listIn, recordIn, textIn } from '../untyped-json';

/** `tools` and `tool_choice` of a messages call. Absent when they would be empty. */
interface MessageTools {
  readonly tools?: readonly JsonRecord[];
  readonly tool_choice?: JsonRecord;
}

/** True where a call uses the deprecated `functions` and so expects a `function_call` in the answer. */
export function expectsFunctionCall({ operation, body, members }: ParsedCall): boolean {
  // `body` lacks lists that were too large to copy from the parsing thread. Such a list is not empty.
  const isGiven = (list: string): boolean =>
    members.members.some(({ key }) => key === list) &&
    (!Object.hasOwn(body, list) || listIn(body[list]).length > 0);
  return operation === 'chat_completions' && isGiven('functions') && !isGiven('tools');
}

export const isForced = ({ tool_choice: choice }: MessageTools): boolean =>
  choice !== undefined && ['any', 'tool'].includes(String(choice['type']));

export function messageTools(body: JsonRecord, losses: Losses): MessageTools {
  const isDeprecatedForm = listIn(body['functions']).length > 0 && listIn(body['tools']).length === 0;
  const defined = isDeprecatedForm ? functionsOf(body['functions'], losses) : toolsOf(body['tools'], losses);
  const param = isDeprecatedForm ? 'function_call' : 'tool_choice';
  for (const unused of isDeprecatedForm ? ['tool_choice'] : ['functions', 'function_call']) {
    if ((body[unused] ?? null) !== null) losses.omit(unused);
  }
  const choice = choiceOf(body[param], isDeprecatedForm);
  if (choice === null) losses.omit(param);
  const tools = choice?.only ? defined.filter(({ name }) => choice.only?.has(textIn(name))) : defined;
  if (tools.length === 0) {
    if (choice?.type === 'any' || choice?.type === 'tool') losses.omit(param);
    return {};
  }
  // A deprecated answer can hold only one call.
  const isSerial = isDeprecatedForm || body['parallel_tool_calls'] === false;
  const type = choice?.type ?? (isSerial ? 'auto' : undefined);
  if (type === undefined) return { tools };
  return {
    tools,
    tool_choice: {
      type,
      name: choice?.name,
      ...(isSerial && type !== 'none' && { disable_parallel_tool_use: true }),
    },
  };
}

function toolsOf(tools: unknown, losses: Losses): JsonRecord[] {
  const taken: JsonRecord[] = [];
  const omit = (path: string): void => {
    losses.omit(path);
  };
  forEachRecord(
    tools,
    'tools',
    (tool, path) => {
      if (tool['type'] === 'function' && isRecord(tool['function'])) {
        taken.push({
          ...toolOf(tool['function'], `${path}.function`, losses),
          cache_control: tool['cache_control'] ?? undefined,
        });
      } else omit(path);
    },
    omit,
  );
  return taken;
}

function functionsOf(functions: unknown, losses: Losses): JsonRecord[] {
  const taken: JsonRecord[] = [];
  forEachRecord(
    functions,
    'functions',
    (definition, path) => taken.push(toolOf(definition, path, losses)),
    (path) => {
      losses.omit(path);
    },
  );
  return taken;
}

function toolOf(
  { name, description, parameters, strict }: JsonRecord,
  path: string,
  losses: Losses,
): JsonRecord {
  // Anthropic requires `input_schema` and its `type`.
  const schema = { type: 'object', ...recordIn(parameters ?? { properties: {} }) };
  const common = { name, description: description ?? undefined };
  if (strict !== true) return { ...common, input_schema: schema };
  const { schema: closed, refused } = closedSchema(schema);
  if (refused.length > 0) losses.change(`${path}.parameters`, closedMessage(refused));
  return { ...common, input_schema: closed, strict };
}

interface Choice {
  readonly type: string | undefined;
  readonly name?: string;
  /** Names of the only allowed tools. */
  readonly only?: ReadonlySet<string>;
}

const choiceTypes: Readonly<Record<string, string>> = { auto: 'auto', none: 'none', required: 'any' };

/** Null when the choice has no counterpart. */
function choiceOf(choice: unknown, isDeprecatedForm: boolean): Choice | null {
  if (choice === undefined || choice === null) return { type: undefined };
  if (typeof choice === 'string') {
    const type = choiceTypes[choice];
    return type === undefined ? null : { type };
  }
  const { type, function: named, allowed_tools: allowed } = recordIn(choice);
  const name = isDeprecatedForm ? recordIn(choice)['name'] : recordIn(named)['name'];
  if (typeof name === 'string') return { type: 'tool', name };
  if (type !== 'allowed_tools') return null;
  const { mode, tools } = recordIn(allowed);
  const names = listIn(tools).map((tool) => textIn(recordIn(recordIn(tool)['function'])['name']));
  return { type: choiceTypes[textIn(mode)] ?? 'auto', only: new Set(names) };
}
