import { isRecord, parseRecord } from '../json/byte-text';

/** Anthropic's convention for a model's arguments that are not a JSON object. */
const INVALID_JSON = 'INVALID_JSON';

/** Translates a chat tool call's `arguments` to the `input` of a `tool_use` block, which must be an object. */
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

/** Anthropic takes only letters, digits, `_` and `-` in a tool call's id. Some chat providers use other characters. */
export function toolUseId(id: unknown): string {
  return typeof id === 'string' ? id.replaceAll(/[^a-zA-Z0-9_-]/g, '_') : '';
}
