/** The protocols of the inference routes (docs/reference/inference-and-compatibility.md#routes). */
export const OPERATIONS = ['chat_completions', 'messages', 'responses', 'embeddings'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Operations that generate text: their answers can be streamed, and translated into each other. */
export type GenerativeOperation = Exclude<Operation, 'embeddings'>;

/**
 * The route of a call's body. Counting takes a messages request without an output limit
 * (docs/reference/inference-and-compatibility.md#counting-tokens).
 */
export type CallRoute = Operation | 'count_tokens';

export const generatesText = (operation: Operation): operation is GenerativeOperation =>
  operation !== 'embeddings';

/** @throws TypeError for an operation that generates no text. */
export function generative(operation: Operation): GenerativeOperation {
  if (generatesText(operation)) return operation;
  throw new TypeError(`A call of ${operation} generates no text.`);
}

/** The only other protocol that a call of chat completions or messages is translated to. Responses become chat completions. */
export const otherProtocol = (operation: Operation): Operation =>
  operation === 'chat_completions' ? 'messages' : 'chat_completions';
