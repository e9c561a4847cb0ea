import { type JsonRecord } from '../../json/byte-text';
import { type Losses } from '../loss';
import { forEachRecord, recordIn, textIn } from '../untyped-json';
import { readDataUrl } from './data-url';

/** Translates the content of a chat message to content blocks. Blank text is left out: Anthropic refuses it. */
export function chatPartsToBlocks(content: unknown, path: string, losses: Losses): JsonRecord[] {
  if (typeof content === 'string') return textBlocks(content);
  const blocks: JsonRecord[] = [];
  const omit = (at: string): void => {
    losses.omit(at);
  };
  forEachRecord(
    content,
    path,
    (part, at) => {
      const block = blockOf(part, at, losses);
      if (block === null) omit(at);
      else blocks.push(...block.map((one) => ({ ...one, ...cacheControlOf(part) })));
    },
    omit,
  );
  return blocks;
}

export const textBlocks = (text: string): JsonRecord[] =>
  text.trim() === '' ? [] : [{ type: 'text', text }];

/** Null when the part has no counterpart. An empty list when the part is blank. */
function blockOf(part: JsonRecord, path: string, losses: Losses): JsonRecord[] | null {
  switch (part['type']) {
    case 'text':
      return textBlocks(textIn(part['text']));
    case 'refusal':
      return textBlocks(textIn(part['refusal']));
    case 'image_url':
      return asList(imageBlock(part['image_url'], path, losses));
    case 'file':
      return asList(fileBlock(recordIn(part['file'])));
    default:
      return null;
  }
}

const asList = (block: JsonRecord | null): JsonRecord[] | null => (block === null ? null : [block]);

function imageBlock(image: unknown, path: string, losses: Losses): JsonRecord | null {
  const { url, detail } = typeof image === 'string' ? { url: image } : recordIn(image);
  const source = sourceOf(textIn(url));
  if (source === null) return null;
  if (typeof detail === 'string' && detail !== 'auto') losses.omit(`${path}.image_url.detail`);
  return { type: 'image', source };
}

/** A `file_id` names a file at another provider, so only inline files can be translated. */
function fileBlock({ file_data: fileData, filename }: JsonRecord): JsonRecord | null {
  const source = sourceOf(textIn(fileData));
  if (source === null) return null;
  const mediaType = textIn(source['media_type']);
  if (mediaType.startsWith('image/')) return { type: 'image', source };
  const title = typeof filename === 'string' ? { title: filename } : {};
  if (!mediaType.startsWith('text/')) return { type: 'document', source, ...title };
  const text = Buffer.from(textIn(source['data']), 'base64').toString('utf8');
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...title };
}

function sourceOf(url: string): JsonRecord | null {
  if (/^https?:\/\//i.test(url)) return { type: 'url', url };
  const read = readDataUrl(url);
  return read === null ? null : { type: 'base64', media_type: read.mediaType, data: read.base64 };
}

/** OpenAI's cache breakpoint, or Anthropic's `cache_control`, which several chat clients send. */
function cacheControlOf(part: JsonRecord): JsonRecord {
  const control = part['cache_control'] ?? undefined;
  if (control !== undefined) return { cache_control: control };
  return (part['prompt_cache_breakpoint'] ?? null) === null ? {} : { cache_control: { type: 'ephemeral' } };
}
