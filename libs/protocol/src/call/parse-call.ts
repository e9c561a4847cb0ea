import { GatewayError } from '@svc/kernel';
import { isRecord, type JsonRecord } from '../json/byte-text';
import { UNCUT_LENGTH } from '../json/outline';
import { type JsonMember, type JsonObjectSpan, topLevelMembers } from '../json/top-level-members';
import { type AnthropicHeaders, NO_ANTHROPIC_HEADERS } from './anthropic-headers';
import { exceedsChatForm } from '../translation/chat-form';
import { sendsReasoning } from '../translation/foreign-reasoning';
import { accountReferences, type AccountReference } from './account-references';
import { callFields, outputLimitFields, requiredFields } from './call-fields';
import { type CallLabels, labelsIn } from './call-labels';
import { checkContent } from './check-content';
import { endUserIn } from './end-user';
import { inputCount, sendsTokens } from './embedding-input';
import { type CallRoute, generatesText, type Operation } from './operation';
import { type PricedFeature, pricedFeaturesOf } from './priced-features';
import { keptData, type KeptData } from './kept-data';
import { needsRewriting } from './needs-rewriting';
import { invalid, parseBody, parseOutline, WHOLE_BYTES_MAX } from './parse-body';
import { promptBounds } from './prompt-bound';
import { providerMetadata } from './provider-metadata';
import { hasUnusualParts } from './unusual-parts';
import { unpaidOptions, type UnpaidOptions } from './unpaid-options';
import { unusualToolNames } from './tool-names';
import { type ValueKind } from './value-kind';
import { wrongType } from './wrong-type';

/** The parts of a call besides its body. */
export interface CallContext {
  readonly anthropic: AnthropicHeaders;
  /** Names that the route does not know but some endpoint of the catalog takes. */
  readonly extraParameters: ReadonlySet<string>;
}

const NO_CONTEXT: CallContext = { anthropic: NO_ANTHROPIC_HEADERS, extraParameters: new Set() };
const NONE: readonly string[] = [];

/** An inference call whose body has the form of its route. */
export interface ParsedCall {
  readonly operation: Operation;
  /** As the caller wrote it: `<creator>/<model>`. */
  readonly model: string;
  readonly stream: boolean;
  /** In tokens. Null when the caller set no limit. */
  readonly maxOutputTokens: number | null;
  /** Number of answers (`n`). Each may use the whole output limit. 0 where no text is generated. */
  readonly choices: number;
  /** Number of prompts, each of which may fill the context window: the inputs of an embeddings call, else 1. */
  readonly prompts: number;
  readonly compatMode: 'permissive' | 'strict';
  /** True where the caller gets a chat stream's usage frame. */
  readonly usageRequested: boolean;
  readonly labels: CallLabels | null;
  /** See {@link endUserIn}. */
  readonly endUser: string | null;
  /** See `conversationIn`. Only of a large call, whose `body` lacks its large members. */
  readonly conversation?: string | null;
  /** See {@link providerMetadata}. */
  readonly providerMetadata: string | null | undefined;
  readonly bodyBytes: Uint8Array;
  /** Bytes of the body. The rate limits estimate the prompt's tokens from it. */
  readonly promptBytes: number;
  /**
   * Upper bound of the prompt's tokens. Null when only the model's context window bounds them. Below `promptBytes` it is
   * exact: the caller sent tokens as numbers.
   */
  readonly promptTokensMax: number | null;
  readonly body: JsonRecord;
  /** Positions of the body's members in `bodyBytes`. */
  readonly members: JsonObjectSpan;
  readonly anthropic: AnthropicHeaders;
  /** Fields of the body that the route does not know, null ones included. */
  readonly extraParameters: readonly string[];
  readonly pricedFeatures: readonly PricedFeature[];
  readonly unpaid: UnpaidOptions;
  readonly kept: KeptData;
  readonly accountReferences: readonly AccountReference[];
  /** See {@link unusualToolNames}. */
  readonly toolNames: readonly string[];
  /** True where a chat call sends reasoning back, which some providers refuse. */
  readonly sendsReasoning: boolean;
  /** True where a chat call has what some providers do not take of messages and names of tools. */
  readonly exceedsChatForm: boolean;
  /** True where an embeddings call sends tokens in place of texts. */
  readonly sendsTokens: boolean;
  /** See {@link needsRewriting}. */
  readonly needsRewriting: boolean;
}

/**
 * Parses the body of an inference call and checks its form and types. The provider checks the range of values. A body
 * to count is parsed as a messages call.
 *
 * @throws GatewayError `invalidRequest`, or `unsupportedParameter` for a field that neither the route nor an endpoint
 * of the catalog lists; `param` is the field's path (docs/reference/inference-and-compatibility.md#fields).
 */
export const parseCall = (route: CallRoute, bytes: Uint8Array, context = NO_CONTEXT): ParsedCall =>
  callOf(route, bytes, parseBody(bytes), context);

/**
 * The same, but long strings of its `body` are cut: it takes a fraction of the memory. Nothing is checked at the end of a long
 * string.
 */
export function parseOutlinedCall(route: CallRoute, bytes: Uint8Array, context = NO_CONTEXT): ParsedCall {
  const call = callOf(route, bytes, parseOutline(bytes), context);
  // These are sent on, and must be whole.
  const isWhole = [call.providerMetadata ?? '', call.endUser ?? '', ...call.toolNames].every(
    ({ length }) => length < UNCUT_LENGTH,
  );
  if (isWhole) return call;
  if (bytes.length > WHOLE_BYTES_MAX)
    throw invalid('A name of a tool or of a user is too long for a body of this size.');
  return parseCall(route, bytes, context);
}

function callOf(route: CallRoute, bytes: Uint8Array, body: JsonRecord, context: CallContext): ParsedCall {
  const operation = route === 'count_tokens' ? 'messages' : route;
  const members = topLevelMembers(bytes);
  const extraParameters = checkFields(route, body, members, context.extraParameters);
  checkContent[operation](body);
  const { stream_options: streamOptions } = body;
  const isUnusual = hasUnusualParts(body);
  const toolNames = isUnusual ? unusualToolNames(body) : NONE;
  return {
    operation,
    model: body['model'] as string,
    stream: body['stream'] === true,
    maxOutputTokens: outputLimit(operation, body),
    choices: generatesText(operation) ? ((body['n'] as number | null | undefined) ?? 1) : 0,
    prompts: generatesText(operation) ? 1 : inputCount(body),
    compatMode: body['compat_mode'] === 'strict' ? 'strict' : 'permissive',
    usageRequested: isRecord(streamOptions) && streamOptions['include_usage'] === true,
    labels: labelsIn(operation, body),
    endUser: endUserIn(body),
    providerMetadata: providerMetadata(operation, body),
    bodyBytes: bytes,
    promptBytes: bytes.length,
    promptTokensMax: promptBounds[operation](body, bytes.length),
    body,
    members,
    anthropic: context.anthropic,
    extraParameters,
    pricedFeatures: pricedFeaturesOf(operation, body),
    unpaid: unpaidOptions(operation, body, extraParameters, isUnusual),
    kept: keptData(operation, body),
    accountReferences: accountReferences(operation, body, isUnusual),
    toolNames,
    sendsReasoning: isUnusual && operation === 'chat_completions' && sendsReasoning(body),
    exceedsChatForm: operation === 'chat_completions' && (toolNames.length > 0 || exceedsChatForm(body)),
    sendsTokens: operation === 'embeddings' && sendsTokens(body),
    needsRewriting: needsRewriting(operation, body, isUnusual),
  };
}

/**
 * Checks in this order: unknown and repeated fields, missing fields, types.
 * @returns the extra parameters
 */
function checkFields(
  route: CallRoute,
  body: JsonRecord,
  { members }: JsonObjectSpan,
  allowedExtra: ReadonlySet<string>,
): readonly string[] {
  const fields = callFields[route];
  let extra = NONE;
  let mistyped: { readonly key: string; readonly kind: ValueKind } | null = null;
  for (const member of members) {
    const { key } = member;
    const kind = fields.get(key);
    if (kind === undefined && !allowedExtra.has(key)) throw unknownFieldError(key);
    if (isRepeated(member, members)) throw invalid(`The field \`${key}\` is given twice.`, key);
    if (kind === undefined) {
      extra = [...extra, key];
      continue;
    }
    const value = body[key];
    // Several clients send null for an absent optional field. The provider decides what it means.
    if (mistyped === null && !isAbsent(value) && !kind.accepts(value)) mistyped = { key, kind };
  }
  for (const param of requiredFields[route]) requireField(param, body);
  if (mistyped !== null) throw wrongType(mistyped.key, mistyped.kind.name);
  return extra;
}

function unknownFieldError(key: string): GatewayError {
  const param = key.slice(0, 100);
  return new GatewayError('unsupportedParameter', `This route has no field \`${param}\`.`, { param });
}

/**
 * Parsers differ in which of two equal keys they use, so a body with both could be checked as one and run as the other.
 * A linear search is enough: a body has at most as many members as its route and the catalog have names before one is
 * refused.
 */
const isRepeated = (member: JsonMember, members: readonly JsonMember[]): boolean =>
  members.find(({ key }) => key === member.key) !== member;

function requireField(param: string, body: JsonRecord): void {
  if (!isAbsent(body[param]) || (param === 'max_tokens' && !isAbsent(body['max_output_tokens']))) return;
  throw invalid(`The field \`${param}\` is required.`, param);
}

function outputLimit(operation: Operation, body: JsonRecord): number | null {
  let limit: number | null = null;
  for (const param of outputLimitFields[operation]) {
    const value = body[param] as number | null | undefined;
    if (isAbsent(value)) continue;
    if (limit !== null && value !== limit) {
      throw invalid(`The field \`${param}\` contradicts another name of the same limit.`, param);
    }
    limit = value;
  }
  return limit;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
