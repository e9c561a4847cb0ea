import { isRecord, parseRecord } from '../json/byte-text';

/** Anthropic's own name for arguments that a model wrote and that are no JSON object. */
const INVALID_JSON = 'INVALID_JSON';

/** A chat tool call's `arguments` as the `input` of a `tool_use` block, which must be an object. */
export function inputOfArguments(json: string): Readonly<Record<string, unknown>> {
  if (json.trim() === '') return {};
  return parseRecord(json) ?? { [INVALID_JSON]: json };
}

/** The reverse of {@link inputOfArguments}. */
export function argumentsOfInput(input: unknown): string {
  if (!isRecord(input)) return JSON.stringify(input ?? {});
  const raw = input[INVALID_JSON];
  const isWrapped = typeof raw === 'string' && Object.keys(input).length === 1;
  return isWrapped ? raw : JSON.stringify(input);
}

/** Anthropic takes letters, digits, `_` and `-` in the id of a tool call; some providers of the other protocol write more. */
export function toolUseId(id: unknown): string {
  return typeof id === 'string' ? id.replaceAll(/[^a-zA-Z0-9_-]/g, '_') : '';
}
