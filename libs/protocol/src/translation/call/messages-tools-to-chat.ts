import { type JsonRecord } from '../../json/byte-text';
import { type Losses } from '../loss';
import { schemaWithProperties } from '../tool-properties';
import { forEachRecord, listIn, recordIn } from '../untyped-json';
import { isStrictSchema } from './strict-schema';

/** `tools`, `tool_choice` and `parallel_tool_calls` of a chat-completions call. Absent when they would be empty. */
interface ChatTools {
  readonly tools?: readonly JsonRecord[];
  readonly tool_choice?: unknown;
  readonly parallel_tool_calls?: false;
}

export function chatTools(body: JsonRecord, losses: Losses): ChatTools {
  const tools: JsonRecord[] = [];
  const omit = (path: string): void => {
    losses.omit(path);
  };
  forEachRecord(
    body['tools'],
    'tools',
    (tool, path) => {
      // Anthropic runs tools of any other type itself.
      if ((tool['type'] ?? 'custom') === 'custom') tools.push(functionTool(tool, path, losses));
      else omit(path);
    },
    omit,
  );
  const { type, name, disable_parallel_tool_use: isSerial } = recordIn(body['tool_choice']);
  const isDefined = type !== 'tool' || tools.some((tool) => recordIn(tool['function'])['name'] === name);
  if (tools.length === 0 || !isDefined) {
    if (type === 'any' || type === 'tool') omit('tool_choice');
    return tools.length === 0 ? {} : { tools };
  }
  return {
    tools,
    ...(type !== undefined && { tool_choice: chatToolChoice(type, name) }),
    ...(isSerial === true && { parallel_tool_calls: false }),
  };
}

function functionTool(tool: JsonRecord, path: string, losses: Losses): JsonRecord {
  const { name, description, input_schema: parameters, strict } = tool;
  if (listIn(tool['input_examples']).length > 0) losses.omit(`${path}.input_examples`);
  if (tool['defer_loading'] === true) losses.omit(`${path}.defer_loading`);
  if (listIn(tool['allowed_callers']).some((caller) => caller !== 'direct')) {
    losses.omit(`${path}.allowed_callers`);
  }
  const isStrict = strict === true && isStrictSchema(parameters);
  if (strict === true && !isStrict) losses.omit(`${path}.strict`);
  return {
    type: 'function',
    function: {
      name,
      description: description ?? undefined,
      parameters: schemaWithProperties(parameters),
      ...(isStrict && { strict }),
    },
  };
}

function chatToolChoice(type: unknown, name: unknown): unknown {
  if (type === 'tool') return { type: 'function', function: { name } };
  return type === 'any' ? 'required' : type;
}
