import { generative, type GenerativeOperation } from '../call/operation';
import { type ParsedCall } from '../call/parse-call';
import { ChatStreamRelay } from './chat-stream-relay';
import { MessageStreamRelay } from './message-stream-relay';
import { ResponseStreamRelay } from './response-stream-relay';
import { type StreamRelay } from './stream-relay';

/** A relay for one attempt of the call at an upstream that speaks the call's own protocol. */
export const relayForCall = (call: ParsedCall): StreamRelay => relays[generative(call.operation)](call);

const relays: Readonly<Record<GenerativeOperation, (call: ParsedCall) => StreamRelay>> = {
  chat_completions: (call) => new ChatStreamRelay(call),
  messages: (call) => new MessageStreamRelay(call),
  responses: (call) => new ResponseStreamRelay(call),
};
