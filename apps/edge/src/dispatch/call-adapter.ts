import { type ModelEndpoint } from '@svc/catalog';
import {
  endpointAsTarget,
  isNative,
  isSentAsItIs,
  type PlannedAttempt,
  upstreamOperation,
} from '@svc/policy';
import {
  readPlainAnswer,
  relayForCall,
  relayWithCallersNames,
  toolNameForm,
  withCallersNames,
  translatedRelayForCall,
  translatePlainAnswer,
  upstreamBody,
  upstreamEdits,
  type ParsedCall,
  type PlainAnswer,
  type StreamRelay,
  type TranslationTarget,
} from '@svc/protocol';
import { type CallTranslator } from './call-translator';

interface BodyTarget {
  readonly organizationId: string;
  readonly endpoint: ModelEndpoint;
  /** Tokens; set when the provider must be sent the limit that the hold covers. */
  readonly maxOutputTokens: number | null;
  /** Tokens; the model's own maximum, for a protocol that requires a limit. */
  readonly modelMaxOutputTokens: number;
  /** Optional parameters, and members of them, to leave out. */
  readonly omit: readonly string[];
  /** True where tools and options that tokens do not pay for are left out. */
  readonly paidPartsOnly: boolean;
}

/** Writes a call for one endpoint and reads its answer: in the caller's protocol, or translated to another. */
interface CallAdapter {
  bodyFor(call: ParsedCall, to: BodyTarget): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /** Null when the bytes are no answer of the endpoint's protocol. */
  readPlain(call: ParsedCall, bytes: Uint8Array, from: AnswerSource): PlainAnswer | null;
  relayFor(call: ParsedCall, from: AnswerSource): StreamRelay;
}

interface AnswerSource {
  readonly endpoint: ModelEndpoint;
  readonly nowMs: number;
}

const native: CallAdapter = {
  bodyFor: (call, to) => upstreamBody(call, { ...topLevelOf(to), omit: to.omit }),
  readPlain: (call, bytes) => readPlainAnswer(call.operation, bytes),
  relayFor: (call) => relayForCall(call),
};

const topLevelOf = ({ endpoint, maxOutputTokens }: BodyTarget) => ({
  upstreamModel: endpoint.upstreamModel,
  maxOutputTokens,
  takesLabels: endpoint.parameters?.has('metadata') === true,
  ...(endpoint.takes && { takes: endpoint.takes }),
});

const targetOf = (
  { operation, maxOutputTokens: asked }: ParsedCall,
  { endpoint, maxOutputTokens, modelMaxOutputTokens, omit, paidPartsOnly }: BodyTarget,
): TranslationTarget => ({
  ...endpointAsTarget(endpoint, operation),
  maxOutputTokens: maxOutputTokens ?? asked ?? modelMaxOutputTokens,
  omit,
  paidPartsOnly,
});

const written = (translator: CallTranslator): Pick<CallAdapter, 'bodyFor'> => ({
  bodyFor: (call, to) => translator.translate(call, targetOf(call, to), to.organizationId),
});

/** In the caller's own protocol, with changes below the top level. A response is written anew: it must keep nothing. */
const rewritten = (translator: CallTranslator): CallAdapter => ({
  ...native,
  bodyFor: (call, to) => {
    const target = targetOf(call, to);
    if (call.operation === 'responses') return translator.translate(call, target, to.organizationId);
    const edits = upstreamEdits(call, topLevelOf(to));
    return translator.rewrite(call, { target, edits }, to.organizationId);
  },
  readPlain: (call, bytes, from) =>
    readPlainAnswer(call.operation, withCallersNames(call, sentNames(call, from), bytes)),
  relayFor: (call, from) => relayWithCallersNames(call, sentNames(call, from), relayForCall(call)),
});

const sentNames = ({ operation }: ParsedCall, { endpoint }: AnswerSource) =>
  toolNameForm(operation, endpoint.provider.chatForm);

const translated: Pick<CallAdapter, 'readPlain' | 'relayFor'> = {
  readPlain: (call, bytes, from) => translatePlainAnswer(call, bytes, translationOf(call, from)),
  relayFor: (call, from) => translatedRelayForCall(call, translationOf(call, from)),
};

const translationOf = ({ operation }: ParsedCall, { endpoint, nowMs }: AnswerSource) => ({
  createdAtSeconds: Math.floor(nowMs / 1000),
  spoken: upstreamOperation(endpoint, operation),
  ...(endpoint.provider.chatForm && { chatForm: endpoint.provider.chatForm }),
});

type AdaptedAttempt = Pick<PlannedAttempt, 'endpoint' | 'paidPartsOnly'>;
export type AdapterOf = (attempt: AdaptedAttempt, call: ParsedCall) => CallAdapter;

export function callAdapters(translator: CallTranslator): AdapterOf {
  const ways = {
    native,
    rewritten: rewritten(translator),
    translated: { ...translated, ...written(translator) },
  };
  const counted = {
    native: keepingOutput(ways.native),
    rewritten: keepingOutput(ways.rewritten),
    translated: keepingOutput(ways.translated),
  };
  const adapters = { reported: ways, estimated: counted };
  return ({ endpoint, paidPartsOnly }, call) => {
    const { [endpoint.usage]: ofUsage } = adapters;
    if (!paidPartsOnly && isSentAsItIs(endpoint, call)) return ofUsage.native;
    return isNative(endpoint, call.operation) ? ofUsage.rewritten : ofUsage.translated;
  };
}

/** The output of an endpoint that reports no usage is counted (docs/reference/money.md#estimated-usage). */
const keepingOutput = (adapter: CallAdapter): CallAdapter => ({
  ...adapter,
  relayFor: (call, from) => {
    const relay = adapter.relayFor(call, from);
    relay.keepOutput();
    return relay;
  },
});
