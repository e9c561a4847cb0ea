import { createHash } from 'node:crypto';
import { type BodyFields, isFields } from '../body/body-fields';
import { contentText } from '../prompt/content-text';
import { tokensOfBytes } from '../prompt/count-tokens';

const TTL_MS = 10 * 60_000;
const PREFIXES_MAX = 1_000_000;
const TEXT_PARTS: readonly unknown[] = ['text', 'input_text', 'output_text'];

/** The beginning of a prompt, up to the end of one of its messages. */
interface Prefix {
  readonly hash: string;
  readonly tokenCount: number;
}

interface CacheUse {
  readonly cachedTokenCount: number;
  readonly writtenTokenCount: number;
}

/** The prompt caches of all accounts, as providers have them: by credential, model and the beginning of the prompt. */
export class PromptCache {
  /** When each was last used. The oldest come first. */
  private readonly usedAtMs = new Map<string, number>();

  /** The tokens that the call reads from the cache, and writes to it: whole messages, as Anthropic's automatic cache does. */
  use(account: string, body: BodyFields, nowMs: number): CacheUse {
    const prefixes = prefixesOf(account, body);
    let cachedTokenCount = 0;
    for (const { hash, tokenCount } of prefixes) {
      if (nowMs - (this.usedAtMs.get(hash) ?? -Infinity) < TTL_MS) cachedTokenCount = tokenCount;
      this.usedAtMs.delete(hash);
      this.usedAtMs.set(hash, nowMs);
    }
    for (const [oldest] of this.usedAtMs) {
      if (this.usedAtMs.size <= PREFIXES_MAX) break;
      this.usedAtMs.delete(oldest);
    }
    const tokenCount = prefixes.at(-1)?.tokenCount ?? 0;
    return { cachedTokenCount, writtenTokenCount: tokenCount - cachedTokenCount };
  }
}

function prefixesOf(account: string, body: BodyFields): readonly Prefix[] {
  let hash = account;
  let bytes = 0;
  return messagesOf(body).map((message) => {
    const text = contentText(isFields(message) ? message.content : message, 'messages', TEXT_PARTS);
    const role = isFields(message) ? String(message.role) : '';
    hash = createHash('sha256').update(`${hash}\0${role}\0${text}`).digest('base64');
    bytes += Buffer.byteLength(text);
    return { hash, tokenCount: tokensOfBytes(bytes) };
  });
}

/** The system text first, and then the messages. */
function messagesOf({ system, instructions, messages, input }: BodyFields): readonly unknown[] {
  const before: unknown = system ?? instructions;
  const listed: unknown = messages ?? input;
  const others = Array.isArray(listed) ? (listed as readonly unknown[]) : [listed];
  return [{ role: 'system', content: before }, ...others];
}
