import { includeForStateless, isReadable } from '../../call/encrypted-reasoning';
import { builtInToolType } from '../../call/response-tools';
import { type JsonRecord } from '../../json/byte-text';
import { type Losses } from '../loss';
import { listIn, recordIn } from '../untyped-json';
import { type TranslationTarget } from './translation-target';

/**
 * The body of a responses call for an endpoint of the same protocol, without what the endpoint cannot read, does not
 * serve or must not keep (docs/reference/inference-and-compatibility.md#responses).
 */
export function rewriteResponsesCall(
  body: JsonRecord,
  target: TranslationTarget,
  losses: Losses,
): JsonRecord {
  const { compat_mode: _mode, tools: _tools, tool_choice: _choice, ...others } = body;
  if (body['store'] === true) losses.change('store', 'The service keeps no responses; it was sent as false.');
  return {
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null)),
    ...servedTools(body, target, losses),
    model: target.upstreamModel,
    max_output_tokens: target.maxOutputTokens,
    input: typeof body['input'] === 'string' ? body['input'] : readableItems(body['input'], losses),
    include: includeForStateless(body, target.upstreamModel) ?? body['include'] ?? undefined,
    store: false,
  };
}

function readableItems(input: unknown, losses: Losses): readonly unknown[] {
  return listIn(input).filter((item, index) => {
    const isKept = isReadable(item);
    if (!isKept) {
      losses.change(
        `input[${String(index)}]`,
        'The provider cannot read this reasoning without having stored it; it was left out.',
      );
    }
    return isKept;
  });
}

function servedTools(body: JsonRecord, { builtInTools }: TranslationTarget, losses: Losses): JsonRecord {
  const tools = listIn(body['tools']).filter((tool, index) => {
    const type = builtInToolType(tool);
    if (type === null || builtInTools?.has(type) === true) return true;
    const message = `The endpoint serves no tool \`${type.slice(0, 100)}\`; it was left out.`;
    losses.change(`tools[${String(index)}]`, message);
    return false;
  });
  const choice = servedChoice(body['tool_choice'], new Set(tools.map(typeOf)));
  if (choice === null)
    losses.change('tool_choice', 'The tools that it asks for were left out, and so was it.');
  return tools.length === 0 ? {} : { tools, tool_choice: choice ?? undefined };
}

const typeOf = (tool: unknown): unknown => recordIn(tool)['type'];

/** Null for a choice of tools that were all left out. */
function servedChoice(choice: unknown, types: ReadonlySet<unknown>): unknown {
  if (choice === 'required' && types.size === 0) return null;
  if (choice === undefined || choice === null || typeof choice === 'string') return choice ?? undefined;
  const named = recordIn(choice);
  if (named['type'] !== 'allowed_tools') return types.has(named['type']) ? choice : null;
  const tools = listIn(named['tools']).filter((tool) => types.has(typeOf(tool)));
  return tools.length === 0 ? null : { ...named, tools };
}
