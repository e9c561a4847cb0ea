import { isList, isObject, type JsonObject } from './field-fault';

/** Few texts have more tokens: tokenizers make one of 3 to 5 bytes in most scripts, of code and of digits. */
const BYTES_PER_TOKEN = 3;
/** Tokens that chat formats add to each message, and to a conversation. */
const TOKENS_PER_MESSAGE = 4;
const TOKENS_PER_EXAMPLE = 3;
/** Of a large image. */
const TOKENS_PER_IMAGE = 1_600;

/**
 * The tokens of an example that has passed its check: an estimate on the high side, because money is held by it, and a
 * tokenizer would need minutes for a large file (docs/decisions/0046).
 */
export function exampleTokens({ messages, tools }: JsonObject): number {
  const ofMessages = (messages as readonly JsonObject[]).reduce(
    (sum, message) => sum + messageTokens(message),
    0,
  );
  return TOKENS_PER_EXAMPLE + ofMessages + (tools === undefined ? 0 : tokensOf(JSON.stringify(tools)));
}

function messageTokens({ content, tool_calls: calls, name }: JsonObject): number {
  const ofCalls = calls === undefined ? 0 : tokensOf(JSON.stringify(calls));
  const ofName = typeof name === 'string' ? tokensOf(name) : 0;
  return TOKENS_PER_MESSAGE + ofName + ofCalls + contentTokens(content);
}

function contentTokens(content: unknown): number {
  if (typeof content === 'string') return tokensOf(content);
  if (!isList(content)) return 0;
  return content.reduce<number>((sum, part) => sum + partTokens(part), 0);
}

function partTokens(part: unknown): number {
  if (!isObject(part)) return 0;
  if (part['type'] === 'image_url') return TOKENS_PER_IMAGE;
  const text = part['text'] ?? part['refusal'];
  return typeof text === 'string' ? tokensOf(text) : 0;
}

const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
