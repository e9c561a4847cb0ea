import { isRecord } from '../json/byte-text';
import { type MemberEdit, spliceMembers } from '../json/splice';
import { outputLimitFields } from './call-fields';
import { type ParsedCall } from './parse-call';

export interface UpstreamTarget {
  /** What the provider calls the model. */
  readonly upstreamModel: string;
  /** Tokens; set when the provider must be told the limit that the hold covers (contract.md section 5). */
  readonly maxOutputTokens: number | null;
  /** Optional parameters that are not sent: the provider does not take them. */
  readonly omit?: readonly string[];
}

/**
 * The body for an upstream that speaks the call's own protocol, as pieces to be written one after another: the
 * caller's bytes, but for the model's name, what is omitted, the service's own fields, the output limit, and a chat stream's
 * wish for usage, without which a stream could not be priced (contract.md section 10).
 */
export function upstreamBody(call: ParsedCall, target: UpstreamTarget): Uint8Array[] {
  const { body } = call;
  const edits: MemberEdit[] = [['model', JSON.stringify(target.upstreamModel)]];
  const cameUnderOwnName = (body['max_output_tokens'] ?? null) !== null;
  const limit = target.maxOutputTokens ?? (cameUnderOwnName ? call.maxOutputTokens : null);
  if (limit !== null) for (const name of limitNames(call)) edits.push([name, String(limit)]);
  if (call.stream && call.operation === 'chat_completions') {
    const options = isRecord(body['stream_options']) ? body['stream_options'] : {};
    edits.push(['stream_options', JSON.stringify({ ...options, include_usage: true })]);
  }
  edits.push(['compat_mode', null], ['max_output_tokens', null]);
  if (target.omit !== undefined) for (const name of target.omit) edits.push([name, null]);
  return spliceMembers(call.bodyBytes, call.members, edits);
}

/** The names that the caller used for the limit, else the protocol's current one. */
function limitNames({ operation, body }: ParsedCall): readonly string[] {
  const [, ...names] = outputLimitFields[operation];
  const used = names.filter((name) => (body[name] ?? null) !== null);
  if (used.length > 0) return used;
  const current = names.find((name) => Object.hasOwn(body, name)) ?? names[0];
  return current === undefined ? [] : [current];
}
