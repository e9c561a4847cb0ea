import { type JsonRecord } from '../../json/byte-text';
import { appendAll } from '../append-all';
import { type Losses } from '../loss';
import { forEachRecord, listIn, recordIn, textIn } from '../untyped-json';
import { dataUrl } from './data-url';

/**
 * Translates content blocks, or a text, to parts of a chat message. Text documents and search results become text.
 * Blocks without a counterpart are left out and reported.
 */
export function blocksToChatParts(content: unknown, path: string, losses: Losses): JsonRecord[] {
  if (typeof content === 'string') return textParts(content);
  const parts: JsonRecord[] = [];
  forEachRecord(
    content,
    path,
    (block, at) => {
      appendAll(parts, blockToChatParts(block, at, losses));
    },
    (at) => {
      losses.omit(at);
    },
  );
  return parts;
}

export function blockToChatParts(block: JsonRecord, path: string, losses: Losses): JsonRecord[] {
  const parts = partsOf(block, path, losses);
  if (parts === null) losses.omit(path);
  return parts ?? [];
}

/** The shortest form of a chat message's content: a single text part becomes a string. */
export function chatContent(parts: readonly JsonRecord[]): string | readonly JsonRecord[] {
  const [only, ...others] = parts;
  if (only === undefined) return '';
  return others.length === 0 && only['type'] === 'text' ? textIn(only['text']) : parts;
}

export const textParts = (text: string): JsonRecord[] => (text === '' ? [] : [{ type: 'text', text }]);

/** Null when the block has no counterpart. */
function partsOf(block: JsonRecord, path: string, losses: Losses): JsonRecord[] | null {
  switch (block['type']) {
    case 'text':
      return textParts(textIn(block['text']));
    case 'image':
      return imageParts(recordIn(block['source']));
    case 'document':
      return documentParts(block, path, losses);
    case 'search_result':
      return textParts(joined([block['title'], block['source'], ...textsIn(block['content'])]));
    default:
      return null;
  }
}

function imageParts({ type, url, media_type: mediaType, data }: JsonRecord): JsonRecord[] | null {
  if (type === 'url') return [{ type: 'image_url', image_url: { url } }];
  if (type !== 'base64') return null;
  return [{ type: 'image_url', image_url: { url: dataUrl(textIn(mediaType), textIn(data)) } }];
}

function documentParts(document: JsonRecord, path: string, losses: Losses): JsonRecord[] | null {
  const { title, context } = document;
  const { type, media_type: mediaType, data, content } = recordIn(document['source']);
  if (recordIn(document['citations'])['enabled'] === true) losses.omit(`${path}.citations`);
  const heading = textParts(joined([title, context]));
  switch (type) {
    case 'base64': {
      const filename = textIn(title) === '' ? 'document.pdf' : title;
      const file = { filename, file_data: dataUrl(textIn(mediaType), textIn(data)) };
      return [...textParts(textIn(context)), { type: 'file', file }];
    }
    case 'text':
      return textParts(joined([title, context, data]));
    case 'content':
      return [...heading, ...blocksToChatParts(content, `${path}.source.content`, losses)];
    default:
      return null;
  }
}

const textsIn = (blocks: unknown): readonly unknown[] =>
  listIn(blocks).map((block) => recordIn(block)['text']);

const joined = (texts: readonly unknown[]): string =>
  texts
    .map(textIn)
    .filter((text) => text !== '')
    .join('\n\n');
