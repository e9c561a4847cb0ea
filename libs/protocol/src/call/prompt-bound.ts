import { isRecord, type JsonRecord } from '../json/byte-text';
import { inputTokensMax } from './embedding-input';
import { type Operation } from './operation';
import { responseTokensMax } from './response-prompt';
import { TOOL_PREAMBLE_TOKENS } from './tool-preamble';

/** Parts whose tokens their bytes bound. Other parts may have more tokens than bytes (such as the URL of an image). */
export const TEXT_PARTS: ReadonlySet<string> = new Set([
  'text',
  'refusal',
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'search_result',
]);
/** Types of tools that the caller runs. Tools that the provider runs add content to the prompt. */
const CALLERS_TOOLS = new Set<unknown>([undefined, null, 'function', 'custom']);
const PROVIDER_SIDE_FIELDS = ['web_search_options', 'mcp_servers', 'container', 'audio'] as const;

/**
 * An upper bound of the prompt's tokens from the bytes of the body: a byte-level tokenizer makes at most one token per
 * byte. Null for media and for content that the provider fetches itself, which have no such bound.
 */
export function promptTokensMax(body: JsonRecord, bodyBytes: number): number | null {
  for (const field of PROVIDER_SIDE_FIELDS) if ((body[field] ?? null) !== null) return null;
  const tools = listIn(body['tools']);
  if (!tools.every(isCallersTool)) return null;
  if (!listIn(body['messages']).every(isText) || !listIn(body['system']).every(isText)) return null;
  const usesTools = tools.length > 0 || listIn(body['functions']).length > 0;
  return bodyBytes + (usesTools ? TOOL_PREAMBLE_TOKENS : 0);
}

/**
 * An upper bound of the prompt's tokens in a body of each operation. Null for none: then only the context window bounds
 * them.
 */
export const promptBounds: Readonly<
  Record<Operation, (body: JsonRecord, bodyBytes: number) => number | null>
> = {
  chat_completions: promptTokensMax,
  messages: promptTokensMax,
  responses: responseTokensMax,
  embeddings: inputTokensMax,
};

const isCallersTool = (tool: unknown): boolean => isRecord(tool) && CALLERS_TOOLS.has(tool['type']);

/** A message, or a part of one. */
function isText(part: unknown): boolean {
  if (!isRecord(part)) return true;
  if (part['role'] === undefined && !TEXT_PARTS.has(String(part['type']))) return false;
  return (part['audio'] ?? null) === null && listIn(part['content']).every(isText);
}

const EMPTY_LIST: readonly unknown[] = [];
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : EMPTY_LIST);
