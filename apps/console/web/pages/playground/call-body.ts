import { type SnippetOperation } from '../../calls/languages';
import { type JsonObject } from '../../calls/literals';

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

export interface CallFacts {
  readonly operation: SnippetOperation;
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly parameters: JsonObject;
  readonly isStreamed: boolean;
  readonly isStrict: boolean;
}

/** The body of a call, in the form of its route. */
export function callBody(facts: CallFacts): JsonObject {
  const { operation, model, system, messages, parameters, isStreamed, isStrict } = facts;
  const hasSystem = system.trim() !== '';
  const isChat = operation === 'chat_completions';
  return {
    model,
    ...parameters,
    ...(hasSystem && !isChat && { system }),
    messages: [
      ...(hasSystem && isChat ? [{ role: 'system', content: system }] : []),
      ...messages.map(({ role, content }) => ({ role, content })),
    ],
    ...(isStreamed && { stream: true }),
    ...(isStrict && { compat_mode: 'strict' }),
  };
}
