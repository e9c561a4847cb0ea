import { isRecord, type JsonRecord } from '../json/byte-text';
import { type MemberEdit, spliceMembers } from '../json/splice';
import { outputLimitFields } from './call-fields';
import { omissions } from './omitted-paths';
import { includeForStateless } from './encrypted-reasoning';
import { type ParsedCall } from './parse-call';
import { takesNone, type TakenValues } from './taken-values';

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
  /** True where the provider is sent all of `metadata`. Else what OpenAI and Anthropic take of it. */
  readonly takesLabels?: boolean;
  /** The values that the model takes of some parameters. Absent for any value. */
  readonly takes?: TakenValues;
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

/** Changes of {@link upstreamBody} at the top level. */
export function upstreamEdits(call: ParsedCall, target: UpstreamTarget): MemberEdit[] {
  const { body } = call;
  const edits: MemberEdit[] = [['model', JSON.stringify(target.upstreamModel)]];
  const { names, untaken } = limitNames(call, target.takes);
  const limit = target.maxOutputTokens ?? (untaken.length > 0 ? call.maxOutputTokens : null);
  if (limit !== null) for (const name of names) edits.push([name, String(limit)]);
  for (const name of untaken) edits.push([name, null]);
  if (call.stream && call.operation === 'chat_completions') {
    const options = isRecord(body['stream_options']) ? body['stream_options'] : {};
    const value = takesNone(target.takes, 'stream_options') ? null : { ...options, include_usage: true };
    edits.push(['stream_options', value && JSON.stringify(value)]);
  }
  edits.push(['compat_mode', null]);
  if (call.operation === 'responses') edits.push(...statelessEdits(body, target.upstreamModel));
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

const NONE: readonly string[] = [];

interface LimitNames {
  /** Those under which the provider is sent the limit. */
  readonly names: readonly string[];
  /** Those of the caller that the provider does not take. */
  readonly untaken: readonly string[];
}

/** The names that the caller used for the limit, or else the protocol's current one. */
function limitNames({ operation, body }: ParsedCall, takes: TakenValues | undefined): LimitNames {
  const { [operation]: all } = outputLimitFields;
  const [own = ''] = all;
  if (operation === 'responses') return { names: [own], untaken: [] };
  const isTaken = (name: string) => name !== own && !takesNone(takes, name);
  const used = all.filter((name) => (body[name] ?? null) !== null);
  if (used.length > 0 && used.every(isTaken)) return { names: used, untaken: NONE };
  const untaken = used.filter((name) => !isTaken(name));
  if (untaken.length < used.length) return { names: used.filter(isTaken), untaken };
  const names = all.filter(isTaken);
  const current = names.find((name) => Object.hasOwn(body, name)) ?? names[0];
  return { names: current === undefined ? [] : [current], untaken };
}
