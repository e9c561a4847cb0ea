import { isRecord, type JsonRecord } from '../../json/byte-text';
import { type Losses } from '../loss';
import { forEachRecord, textIn } from '../untyped-json';
import { textParts } from './blocks-to-chat-parts';

/** Parts of a chat message, and the path that each was translated from. */
export interface ChatParts {
  readonly parts: JsonRecord[];
  readonly origins: string[];
}

/**
 * Translates the content of a message item, or the output of a tool, to parts of a chat message. Parts without a
 * counterpart are left out and reported.
 */
export function responsePartsToChat(content: unknown, path: string, losses: Losses): ChatParts {
  const parts: JsonRecord[] = [];
  const origins: string[] = [];
  const take = (taken: readonly JsonRecord[], origin: string): void => {
    for (const part of taken) {
      parts.push(part);
      origins.push(origin);
    }
  };
  if (typeof content === 'string') take(textParts(content), path);
  else {
    const omit = (at: string): void => {
      losses.omit(at);
    };
    const takePart = (part: JsonRecord, at: string): void => {
      const taken = partsOf(part, at, losses);
      if (taken === null) omit(at);
      else
        take(
          taken.map((one) => ({ ...one, ...cacheBreakpointOf(part) })),
          at,
        );
    };
    forEachRecord(content, path, takePart, omit);
  }
  return { parts, origins };
}

/** Null when the part has no counterpart. */
function partsOf(part: JsonRecord, path: string, losses: Losses): readonly JsonRecord[] | null {
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return textParts(textIn(part['text']));
    case 'refusal':
      return [{ type: 'refusal', refusal: textIn(part['refusal']) }];
    case 'input_image':
      return imageParts(part);
    case 'input_file':
      return fileParts(part, path, losses);
    default:
      return null;
  }
}

/** A `file_id` names a file in an account at another provider. */
function imageParts({ image_url: url, detail }: JsonRecord): readonly JsonRecord[] | null {
  if (typeof url !== 'string') return null;
  return [{ type: 'image_url', image_url: { url, ...(typeof detail === 'string' && { detail }) } }];
}

function fileParts(part: JsonRecord, path: string, losses: Losses): readonly JsonRecord[] | null {
  const { file_data: data, filename, detail } = part;
  if (typeof data !== 'string') return null;
  if (typeof detail === 'string' && detail !== 'auto') losses.omit(`${path}.detail`);
  return [{ type: 'file', file: { filename: filename ?? undefined, file_data: data } }];
}

/** Both of OpenAI's protocols mark the end of a cached prefix so. */
const cacheBreakpointOf = ({ prompt_cache_breakpoint: breakpoint }: JsonRecord): JsonRecord =>
  isRecord(breakpoint) ? { prompt_cache_breakpoint: breakpoint } : {};
