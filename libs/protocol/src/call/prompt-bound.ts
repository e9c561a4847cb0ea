import { isRecord, type JsonRecord } from '../json/byte-text';

/** What providers put before a prompt of their own accord when tools are given: some hundred tokens, rounded well up. */
const TOOL_PREAMBLE_TOKENS = 1024;

/** Content that is counted by its text: everything else may weigh more than its bytes (a URL of an image, say). */
export const TEXT_PARTS: ReadonlySet<string> = new Set([
  'text',
  'refusal',
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'search_result',
]);
/** Tools that the caller runs. A provider's own bring content of their own into the prompt. */
const CALLERS_TOOLS = new Set<unknown>([undefined, null, 'function', 'custom']);
const PROVIDER_SIDE_FIELDS = ['web_search_options', 'mcp_servers', 'container', 'audio'] as const;

/**
 * An upper bound of the prompt's tokens by the bytes of the body: a byte-level tokenizer makes at most one token of
 * a byte. Null when there is none: media, or content that the provider fetches itself.
 */
export function promptTokensMax(body: JsonRecord, bodyBytes: number): number | null {
  for (const field of PROVIDER_SIDE_FIELDS) if ((body[field] ?? null) !== null) return null;
  const tools = listIn(body['tools']);
  if (!tools.every(isCallersTool)) return null;
  if (!listIn(body['messages']).every(isText) || !listIn(body['system']).every(isText)) return null;
  const usesTools = tools.length > 0 || listIn(body['functions']).length > 0;
  return bodyBytes + (usesTools ? TOOL_PREAMBLE_TOKENS : 0);
}

const isCallersTool = (tool: unknown): boolean => isRecord(tool) && CALLERS_TOOLS.has(tool['type']);

/** A message, or a part of one. */
function isText(part: unknown): boolean {
  if (!isRecord(part)) return true;
  if (part['role'] === undefined && !TEXT_PARTS.has(String(part['type']))) return false;
  return (part['audio'] ?? null) === null && listIn(part['content']).every(isText);
}

const NOTHING: readonly unknown[] = [];
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : NOTHING);
