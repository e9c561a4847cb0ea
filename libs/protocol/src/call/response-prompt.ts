import { isRecord, type JsonRecord } from '../json/byte-text';
import { TOOL_PREAMBLE_TOKENS } from './tool-preamble';

/** Items whose tokens their bytes bound, encrypted reasoning too: it is longer than its text. */
const TEXT_ITEMS: ReadonlySet<unknown> = new Set([
  ...['message', 'reasoning', 'function_call', 'function_call_output'],
  ...['custom_tool_call', 'custom_tool_call_output', 'local_shell_call', 'local_shell_call_output'],
  ...['shell_call', 'shell_call_output', 'apply_patch_call', 'apply_patch_call_output'],
]);
/** Other parts may have more tokens than bytes (such as the URL of an image). */
const TEXT_PARTS: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'text', 'refusal']);
/** Tools whose definition the body has. Providers describe the others to the model in their own words. */
const DEFINED_TOOLS: ReadonlySet<unknown> = new Set(['function', 'custom', 'namespace']);

/** An upper bound of the prompt's tokens in a responses call. Null for media and tools that the provider defines. */
export function responseTokensMax({ input, tools }: JsonRecord, bodyBytes: number): number | null {
  const defined = listIn(tools);
  if (!defined.every((tool) => isRecord(tool) && DEFINED_TOOLS.has(tool['type']))) return null;
  if (!listIn(input).every(isTextItem)) return null;
  return bodyBytes + (defined.length > 0 ? TOOL_PREAMBLE_TOKENS : 0);
}

function isTextItem(item: unknown): boolean {
  if (!isRecord(item) || !TEXT_ITEMS.has(item['type'] ?? 'message')) return false;
  return [...listIn(item['content']), ...listIn(item['output'])].every(isTextPart);
}

const isTextPart = (part: unknown): boolean =>
  !isRecord(part) || TEXT_PARTS.has(part['type']) || part['type'] === 'reasoning_text';

interface ResponsePrompt {
  readonly texts: readonly string[];
  readonly messageCount: number;
  readonly mediaCount: number;
}

/** The text that a provider counts in a responses call, without the text that the provider adds. */
export function responsePromptText({
  instructions,
  input,
  tools,
  tool_choice,
  text,
}: JsonRecord): ResponsePrompt {
  const found = { texts: [] as string[], mediaCount: 0 };
  for (const part of [instructions, input]) collect(part, found);
  for (const field of [tools, tool_choice, text]) {
    if ((field ?? null) !== null) found.texts.push(JSON.stringify(field));
  }
  const items = typeof input === 'string' ? 1 : listIn(input).length;
  return { ...found, messageCount: items + (typeof instructions === 'string' ? 1 : 0) };
}

/** Collects the text of an item or a part. What is not text, such as a function call, counts as JSON. */
function collect(part: unknown, found: { readonly texts: string[]; mediaCount: number }): void {
  if (typeof part === 'string') found.texts.push(part);
  else if (Array.isArray(part)) for (const inner of part) collect(inner, found);
  else if (isRecord(part)) {
    const { type, role: _role, id: _id, status: _status, detail: _detail, ...members } = part;
    if (type === 'input_image' || type === 'input_file') {
      found.mediaCount++;
      return;
    }
    const { content, output, summary, text, refusal, ...rest } = members;
    for (const inner of [content, output, summary, text, refusal]) collect(inner, found);
    if (Object.keys(rest).length > 0) found.texts.push(JSON.stringify(rest));
  }
}

const EMPTY_LIST: readonly unknown[] = [];
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : EMPTY_LIST);
