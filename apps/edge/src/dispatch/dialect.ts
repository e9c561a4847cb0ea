import { nativeOperation, type ModelEndpoint } from '@svc/inference';
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
import { type CallTranslator } from './call-translator';

export interface SpokenTo {
  readonly endpoint: ModelEndpoint;
  /** Tokens; set when the provider must be told the limit that the hold covers. */
  readonly maxOutputTokens: number | null;
  /** The most that the model puts out: what a protocol that insists on a limit is told without one. */
  readonly modelMaxOutputTokens: number;
  /** Optional parameters that are not sent. */
  readonly omit: readonly string[];
}

/** How a call is put to one endpoint, and its answer read: in the caller's own protocol, or across to the other. */
export interface Dialect {
  bodyFor(call: ParsedCall, to: SpokenTo): readonly Uint8Array[] | Promise<readonly Uint8Array[]>;
  /** Null for what is no answer of the endpoint's protocol. */
  readPlain(call: ParsedCall, bytes: Uint8Array, nowMs: number): PlainAnswer | null;
  relayFor(call: ParsedCall, nowMs: number): StreamRelay;
}

const native: Dialect = {
  bodyFor: (call, { endpoint, maxOutputTokens, omit }) =>
    upstreamBody(call, { upstreamModel: endpoint.upstreamModel, maxOutputTokens, omit }),
  readPlain: (call, bytes) => readPlainAnswer(call.operation, bytes),
  relayFor: relayForCall,
};

const translatedBy = (translator: CallTranslator): Dialect => ({
  bodyFor: (call, { endpoint, maxOutputTokens, modelMaxOutputTokens, omit }) =>
    translator.translate(call, {
      upstreamModel: endpoint.upstreamModel,
      maxOutputTokens: maxOutputTokens ?? call.maxOutputTokens ?? modelMaxOutputTokens,
      omit,
    }),
  readPlain: (call, bytes, nowMs) => translatePlainAnswer(call, bytes, { createdAtSeconds: seconds(nowMs) }),
  relayFor: (call, nowMs) => translatedRelayForCall(call, { createdAtSeconds: seconds(nowMs) }),
});

export type DialectOf = (endpoint: ModelEndpoint, call: ParsedCall) => Dialect;

export function dialects(translator: CallTranslator): DialectOf {
  const translated = translatedBy(translator);
  return ({ provider }, { operation }) =>
    nativeOperation[provider.protocol] === operation ? native : translated;
}

const seconds = (ms: number): number => Math.floor(ms / 1000);
