import { generative, type GenerativeOperation } from '../../call/operation';
import { type ParsedCall } from '../../call/parse-call';
import { type StreamRelay } from '../../stream/stream-relay';
import { expectsFunctionCall } from '../call/chat-tools-to-messages';
import { ChatToMessageStreamRelay } from './chat-to-message-relay';
import { MessageToChatStreamRelay } from './message-to-chat-relay';

/** A relay for one attempt of the call at an upstream that speaks the other protocol. */
export function translatedRelayForCall(
  call: ParsedCall,
  { createdAtSeconds }: { readonly createdAtSeconds: number },
): StreamRelay {
  return relays[generative(call.operation)](call, createdAtSeconds);
}

type MakeRelay = (call: ParsedCall, createdAtSeconds: number) => StreamRelay;

const relays: Readonly<Record<GenerativeOperation, MakeRelay>> = {
  chat_completions: (call, createdAtSeconds) => {
    const { model, usageRequested } = call;
    const asFunctionCall = expectsFunctionCall(call);
    return new MessageToChatStreamRelay({ model, usageRequested, createdAtSeconds, asFunctionCall });
  },
  messages: (call) => new ChatToMessageStreamRelay(call),
};
