import { isRecord, type JsonRecord } from '../json/byte-text';
import { listIn } from './untyped-json';

/**
 * Members of a chat message that OpenAI refuses as null ("None is not of type 'array' - 'messages.1.tool_calls'"). Its own SDKs write
 * them so when an answer is sent back as it was parsed. Other members may be null.
 */
const REFUSED_NULLS = ['tool_calls', 'name'] as const;

const hasNull = (message: unknown): message is JsonRecord =>
  isRecord(message) && REFUSED_NULLS.some((name) => message[name] === null);

export const hasNullMembers = ({ messages }: JsonRecord): boolean => listIn(messages).some(hasNull);

/** The messages of a chat call without what counts as left out. It means the same, so nothing is told. */
export function withoutNullMembers(body: JsonRecord): JsonRecord {
  if (!hasNullMembers(body)) return {};
  const messages = listIn(body['messages']).map((message) =>
    hasNull(message)
      ? Object.fromEntries(
          Object.entries(message).filter(
            ([name, value]) => value !== null || !REFUSED_NULLS.includes(name as never),
          ),
        )
      : message,
  );
  return { messages };
}
