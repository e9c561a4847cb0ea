import { endpointAsTarget, isNative, upstreamOperation, type ModelEndpoint } from '@svc/inference';
import {
  readPlainAnswer,
  relayForCall,
  translatedRelayForCall,
  translatePlainAnswer,
  upstreamBody,
  type ParsedCall,
  type PlainAnswer,
  type StreamRelay,
} from '@svc/protocol';
import { isSentAsItIs, type CallTranslator } from './call-translator';

interface BodyTarget {
  readonly organizationId: string;
  readonly endpoint: ModelEndpoint;
  /** Tokens; set when the provider must be sent the limit that the hold covers. */
  readonly maxOutputTokens: number | null;
  /** Tokens; the model's own maximum, for a protocol that requires a limit. */
  readonly modelMaxOutputTokens: number;
  /** Optional parameters to leave out. */
  readonly omit: readonly string[];
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
  bodyFor: (call, { endpoint, maxOutputTokens, omit }) =>
    upstreamBody(call, {
      upstreamModel: endpoint.upstreamModel,
      maxOutputTokens,
      omit,
      takesLabels: endpoint.parameters?.has('metadata') === true,
    }),
  readPlain: (call, bytes) => readPlainAnswer(call.operation, bytes),
  relayFor: (call) => relayForCall(call),
};

const written = (translator: CallTranslator): Pick<CallAdapter, 'bodyFor'> => ({
  bodyFor: (call, { endpoint, organizationId, maxOutputTokens, modelMaxOutputTokens, omit }) => {
    const target = {
      ...endpointAsTarget(endpoint, call.operation),
      maxOutputTokens: maxOutputTokens ?? call.maxOutputTokens ?? modelMaxOutputTokens,
      omit,
    };
    return translator.translate(call, target, organizationId);
  },
});

const translated: Pick<CallAdapter, 'readPlain' | 'relayFor'> = {
  readPlain: (call, bytes, from) => translatePlainAnswer(call, bytes, translationOf(call, from)),
  relayFor: (call, from) => translatedRelayForCall(call, translationOf(call, from)),
};

const translationOf = ({ operation }: ParsedCall, { endpoint, nowMs }: AnswerSource) => ({
  createdAtSeconds: Math.floor(nowMs / 1000),
  spoken: upstreamOperation(endpoint, operation),
});

export type AdapterOf = (endpoint: ModelEndpoint, call: ParsedCall) => CallAdapter;

export function callAdapters(translator: CallTranslator): AdapterOf {
  const ways = {
    native,
    rewritten: { ...native, ...written(translator) },
    translated: { ...translated, ...written(translator) },
  };
  const counted = {
    native: keepingOutput(ways.native),
    rewritten: keepingOutput(ways.rewritten),
    translated: keepingOutput(ways.translated),
  };
  const adapters = { reported: ways, estimated: counted };
  return (endpoint, call) => {
    const { [endpoint.usage]: ofUsage } = adapters;
    if (isSentAsItIs(endpoint, call)) return ofUsage.native;
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
