import { type JsonRecord } from '../../json/byte-text';
import { type Losses } from '../loss';
import { parametersOf } from '../tool-properties';
import { forEachRecord, listIn, recordIn, textIn } from '../untyped-json';

/** `tools` and what depends on them in a chat-completions call. Absent when they would be empty. */
interface ChatTools {
  readonly tools?: readonly JsonRecord[];
  readonly tool_choice?: unknown;
  readonly parallel_tool_calls?: unknown;
}

interface TranslatedTools {
  readonly chat: ChatTools;
  /** The path that each tool was translated from. */
  readonly origins: readonly string[];
}

export function responseToolsToChat(body: JsonRecord, losses: Losses): TranslatedTools {
  const tools: JsonRecord[] = [];
  const origins: string[] = [];
  const omit = (path: string): void => {
    losses.omit(path);
  };
  forEachRecord(
    body['tools'],
    'tools',
    (tool, path) => {
      const taken = toolOf(tool, path, losses);
      if (taken === null) return omit(path);
      tools.push(taken);
      origins.push(path);
    },
    omit,
  );
  const choice = choiceOf(body['tool_choice'], new Set(tools.map(nameOf)));
  if (choice === null || (tools.length === 0 && choice === 'required')) omit('tool_choice');
  if (tools.length === 0) return { chat: {}, origins };
  const parallel = body['parallel_tool_calls'] ?? undefined;
  return { chat: { tools, tool_choice: choice ?? undefined, parallel_tool_calls: parallel }, origins };
}

/** Null when the tool has no counterpart: a provider of the responses protocol runs it, or loads it on demand. */
function toolOf(tool: JsonRecord, path: string, losses: Losses): JsonRecord | null {
  const { type, name, description, strict, format } = tool;
  if (type !== 'function' && type !== 'custom') return null;
  for (const flag of ['defer_loading', 'async']) if (tool[flag] === true) losses.omit(`${path}.${flag}`);
  if (listIn(tool['allowed_callers']).some((caller) => caller !== 'direct')) {
    losses.omit(`${path}.allowed_callers`);
  }
  const common = { name, description: description ?? undefined };
  if (type === 'custom') return { type, custom: { ...common, format: customFormat(format) } };
  return {
    type,
    function: {
      ...common,
      parameters: parametersOf(tool),
      ...(strict === true && { strict }),
    },
  };
}

/** Chat nests a grammar once more. */
function customFormat(format: unknown): unknown {
  const { type, ...grammar } = recordIn(format);
  return type === 'grammar' ? { type, grammar } : (format ?? undefined);
}

const nameOf = ({ type, ...tool }: JsonRecord): string => textIn(recordIn(tool[textIn(type)])['name']);

/** Null when the choice has no counterpart, or names a tool that has none. */
function choiceOf(choice: unknown, known: ReadonlySet<string>): unknown {
  if (choice === undefined || choice === null || typeof choice === 'string') return choice ?? undefined;
  const { type, mode, tools } = recordIn(choice);
  if (type !== 'allowed_tools') return namedTool(choice, known);
  const allowed = listIn(tools).map((tool) => namedTool(tool, known));
  return allowed.includes(null) ? null : { type, allowed_tools: { mode, tools: allowed } };
}

function namedTool(tool: unknown, known: ReadonlySet<string>): JsonRecord | null {
  const { type, name } = recordIn(tool);
  if ((type !== 'function' && type !== 'custom') || !known.has(textIn(name))) return null;
  return { type, [type]: { name } };
}
