import { type ParsedCall } from '../call/parse-call';
import { ChatStreamRelay } from './chat-stream-relay';
import { MessageStreamRelay } from './message-stream-relay';
import { type StreamRelay } from './stream-relay';

/** A relay for one attempt of the call at an upstream that speaks the call's own protocol. */
export function relayForCall(call: ParsedCall): StreamRelay {
  return call.operation === 'messages' ? new MessageStreamRelay(call) : new ChatStreamRelay(call);
}
