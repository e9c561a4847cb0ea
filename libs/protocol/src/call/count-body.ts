import { decodeUtf8, parseRecord } from '../json/byte-text';
import { type ParsedCall } from './parse-call';
import { upstreamBody } from './upstream-body';

/** What Anthropic's `count_tokens` takes of a messages request without a beta header; it refuses all else. */
export const COUNTED_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'cache_control',
  'output_config',
  'speed',
  'system',
  'thinking',
  'tool_choice',
  'tools',
]);

/** The body that asks a provider of the messages protocol how many tokens a call's prompt has, as pieces. */
export function countBody(call: ParsedCall, upstreamModel: string): Uint8Array[] {
  const omit = call.members.members.map(({ key }) => key).filter((key) => !COUNTED_FIELDS.has(key));
  return upstreamBody(call, { upstreamModel, maxOutputTokens: null, omit });
}

/** What that provider answered; null for what is no count. */
export function readTokenCount(bytes: Uint8Array): number | null {
  const count = parseRecord(decodeUtf8(bytes))?.['input_tokens'];
  return Number.isSafeInteger(count) && (count as number) >= 0 ? (count as number) : null;
}
