import { generative, type GenerativeOperation, type Operation, otherProtocol } from '../../call/operation';
import { type ParsedCall } from '../../call/parse-call';
import { type StreamRelay } from '../../stream/stream-relay';
import { type TranslatedAnswerFacts } from '../answer/translate-answer';
import { expectsFunctionCall } from '../call/chat-tools-to-messages';
import { toolNameForm } from '../../call/tool-names';
import { relayWithCallersNames } from '../restored-names';
import { ChatToMessageStreamRelay } from './chat-to-message-relay';
import { ChatToResponseStreamRelay } from './chat-to-response-relay';
import { MessageToChatStreamRelay } from './message-to-chat-relay';
import { MessageToResponseStreamRelay } from './message-to-response-relay';

/** A relay for one attempt of the call at an upstream that speaks the other protocol. */
export function translatedRelayForCall(
  call: ParsedCall,
  { createdAtSeconds, spoken = otherProtocol(call.operation), chatForm }: TranslatedAnswerFacts,
): StreamRelay {
  const make = relays[generative(call.operation)][spoken];
  if (make === undefined) throw new TypeError(`No ${spoken} become ${call.operation}.`);
  return relayWithCallersNames(call, toolNameForm(spoken, chatForm), make(call, createdAtSeconds));
}

type MakeRelay = (call: ParsedCall, createdAtSeconds: number) => StreamRelay;

/** By the call's operation, then by the upstream's. */
const relays: Readonly<Record<GenerativeOperation, Readonly<Partial<Record<Operation, MakeRelay>>>>> = {
  chat_completions: {
    messages: (call, createdAtSeconds) => {
      const { model, usageRequested } = call;
      const asFunctionCall = expectsFunctionCall(call);
      return new MessageToChatStreamRelay({ model, usageRequested, createdAtSeconds, asFunctionCall });
    },
  },
  messages: { chat_completions: (call) => new ChatToMessageStreamRelay(call) },
  responses: {
    chat_completions: (call, createdAtSeconds) =>
      new ChatToResponseStreamRelay({ ...call, createdAtSeconds }),
    messages: (call, createdAtSeconds) => new MessageToResponseStreamRelay({ ...call, createdAtSeconds }),
  },
};
