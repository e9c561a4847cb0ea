import { isNative, type ModelEndpoint } from '@svc/inference';
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
import { extraParametersOf, type CallTranslator } from './call-translator';

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

/** Writes a call for one endpoint and reads its answer: in the caller's protocol, or translated to the other. */
interface CallAdapter {
  bodyFor(call: ParsedCall, to: BodyTarget): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /** Null when the bytes are no answer of the endpoint's protocol. */
  readPlain(call: ParsedCall, bytes: Uint8Array, nowMs: number): PlainAnswer | null;
  relayFor(call: ParsedCall, nowMs: number): StreamRelay;
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
  relayFor: relayForCall,
};

const translatedBy = (translator: CallTranslator): CallAdapter => ({
  bodyFor: (call, { endpoint, organizationId, maxOutputTokens, modelMaxOutputTokens, omit }) => {
    const target = {
      upstreamModel: endpoint.upstreamModel,
      maxOutputTokens: maxOutputTokens ?? call.maxOutputTokens ?? modelMaxOutputTokens,
      omit,
      ...extraParametersOf(endpoint),
    };
    return translator.translate(call, target, organizationId);
  },
  readPlain: (call, bytes, nowMs) => translatePlainAnswer(call, bytes, { createdAtSeconds: seconds(nowMs) }),
  relayFor: (call, nowMs) => translatedRelayForCall(call, { createdAtSeconds: seconds(nowMs) }),
});

export type AdapterOf = (endpoint: ModelEndpoint, call: ParsedCall) => CallAdapter;

export function callAdapters(translator: CallTranslator): AdapterOf {
  const translated = translatedBy(translator);
  const adapters = {
    reported: { native, translated },
    estimated: { native: keepingOutput(native), translated: keepingOutput(translated) },
  };
  return (endpoint, { operation }) => {
    const { [endpoint.usage]: ofUsage } = adapters;
    return isNative(endpoint, operation) ? ofUsage.native : ofUsage.translated;
  };
}

/** The output of an endpoint that reports no usage is counted (docs/reference/money.md#estimated-usage). */
const keepingOutput = (adapter: CallAdapter): CallAdapter => ({
  ...adapter,
  relayFor: (call, nowMs) => {
    const relay = adapter.relayFor(call, nowMs);
    relay.keepOutput();
    return relay;
  },
});

const seconds = (ms: number): number => Math.floor(ms / 1000);
