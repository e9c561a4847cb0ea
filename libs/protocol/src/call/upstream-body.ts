import { isRecord, type JsonRecord } from '../json/byte-text';
import { type MemberEdit, spliceMembers } from '../json/splice';
import { outputLimitFields } from './call-fields';
import { omissions } from './omitted-paths';
import { includeForStateless } from './encrypted-reasoning';
import { type ParsedCall } from './parse-call';

interface UpstreamTarget {
  /** The provider's name of the model. */
  readonly upstreamModel: string;
  /**
   * In tokens. Set when the provider must enforce the limit that the hold covers
   * (docs/reference/inference-and-compatibility.md#output-limit).
   */
  readonly maxOutputTokens: number | null;
  /** Optional parameters, and members of them, that the provider is not sent. */
  readonly omit?: readonly string[];
  /** Whether the provider is sent all of `metadata`. Else what OpenAI and Anthropic take of it. */
  readonly takesLabels?: boolean;
}

/**
 * The body for an upstream that speaks the call's own protocol, as pieces to write in order. It is the caller's bytes
 * except for the model's name, omitted parameters, labels, the service's own fields, the output limit, `store` of a
 * response, and `include_usage` of a chat stream, without which a stream could not be priced
 * (docs/reference/inference-and-compatibility.md#streaming).
 */
export function upstreamBody(call: ParsedCall, target: UpstreamTarget): Uint8Array[] {
  return spliceMembers(call.bodyBytes, call.members, upstreamEdits(call, target));
}

/** What {@link upstreamBody} changes at the top level. */
export function upstreamEdits(call: ParsedCall, target: UpstreamTarget): MemberEdit[] {
  const { body } = call;
  const edits: MemberEdit[] = [['model', JSON.stringify(target.upstreamModel)]];
  const usesServiceName = call.operation !== 'responses' && (body['max_output_tokens'] ?? null) !== null;
  const limit = target.maxOutputTokens ?? (usesServiceName ? call.maxOutputTokens : null);
  if (limit !== null) for (const name of limitNames(call)) edits.push([name, String(limit)]);
  if (call.stream && call.operation === 'chat_completions') {
    const options = isRecord(body['stream_options']) ? body['stream_options'] : {};
    edits.push(['stream_options', JSON.stringify({ ...options, include_usage: true })]);
  }
  edits.push(['compat_mode', null]);
  if (call.operation === 'responses') edits.push(...statelessEdits(body, target.upstreamModel));
  else edits.push(['max_output_tokens', null]);
  // Null counts as left out, but an endpoint may not know it so.
  for (const { key } of call.members.members) if (body[key] === null) edits.push([key, null]);
  if (call.providerMetadata !== undefined && target.takesLabels !== true) {
    edits.push(['metadata', call.providerMetadata]);
  }
  if (target.omit !== undefined && target.omit.length > 0) edits.push(...omissions(body, target.omit));
  return edits;
}

/** OpenAI stores responses unless it is told not to (docs/reference/inference-and-compatibility.md#responses). */
function statelessEdits(body: JsonRecord, upstreamModel: string): readonly MemberEdit[] {
  const include = includeForStateless(body, upstreamModel);
  const edits: MemberEdit[] = [['store', 'false']];
  if (include !== undefined) edits.push(['include', JSON.stringify(include)]);
  return edits;
}

/** The names that the caller used for the limit, or else the protocol's current one. */
function limitNames({ operation, body }: ParsedCall): readonly string[] {
  const [own, ...names] = outputLimitFields[operation];
  if (operation === 'responses' && own !== undefined) return [own];
  const used = names.filter((name) => (body[name] ?? null) !== null);
  if (used.length > 0) return used;
  const current = names.find((name) => Object.hasOwn(body, name)) ?? names[0];
  return current === undefined ? [] : [current];
}
