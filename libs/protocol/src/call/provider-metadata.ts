import { isRecord, type JsonRecord } from '../json/byte-text';
import { type Operation } from './operation';

/**
 * The `metadata` for a provider, in place of the body's. OpenAI takes it for a response, but only for a stored completion, and
 * Anthropic takes only `user_id` in it. The rest are labels, which the service keeps
 * (docs/reference/inference-and-compatibility.md#labels).
 *
 * @returns JSON text; null to leave the field out; undefined where the caller's own is sent as it is.
 */
export function providerMetadata(operation: Operation, body: JsonRecord): string | null | undefined {
  const { metadata } = body;
  if (!isRecord(metadata)) return undefined;
  return taken[operation](metadata, body);
}

type TakenMetadata = (metadata: JsonRecord, body: JsonRecord) => string | null | undefined;

const taken: Readonly<Record<Operation, TakenMetadata>> = {
  chat_completions: (_, body) => (body['store'] === true ? undefined : null),
  messages: ({ user_id: userId, ...labels }) => {
    if (Object.keys(labels).length === 0) return undefined;
    return userId === undefined ? null : JSON.stringify({ user_id: userId });
  },
  // OpenAI takes it whether it stores the response or not.
  responses: () => undefined,
  // The route has no such field.
  embeddings: () => undefined,
};
