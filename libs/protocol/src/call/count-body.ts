import { decodeUtf8, parseRecord } from '../json/byte-text';
import { type ParsedCall } from './parse-call';
import { upstreamBody } from './upstream-body';

/** Fields that Anthropic's `count_tokens` takes without a beta header. It refuses all others. */
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

/** Further fields that it takes with the beta header of each. */
const COUNTED_WITH_BETAS: ReadonlySet<string> = new Set([
  'compaction',
  'context_management',
  'mcp_servers',
  'output_format',
]);

/** The body of a `count_tokens` request to a provider of the messages protocol, as pieces to write in order. */
export function countBody(call: ParsedCall, upstreamModel: string): Uint8Array[] {
  const omit = call.members.members.map(({ key }) => key).filter((key) => !isCounted(key, call));
  return upstreamBody(call, { upstreamModel, maxOutputTokens: null, omit });
}

const isCounted = (key: string, { anthropic }: ParsedCall): boolean =>
  COUNTED_FIELDS.has(key) || (anthropic.betas.length > 0 && COUNTED_WITH_BETAS.has(key));

/** The count in the provider's answer. Null when it holds no valid count. */
export function readTokenCount(bytes: Uint8Array): number | null {
  const count = parseRecord(decodeUtf8(bytes))?.['input_tokens'];
  return Number.isSafeInteger(count) && (count as number) >= 0 ? (count as number) : null;
}
