import { textIn, recordIn, listIn } from '../json/untyped';

/** A part of a chat answer's `content`. `other`: it has no text, and `text` is its type. */
interface ContentPart {
  readonly kind: 'text' | 'reasoning' | 'other';
  readonly text: string;
}

const NONE: readonly ContentPart[] = [];

/** Several compatible providers send text as a list of parts. Mistral's reasoning is one of them. */
export function contentParts(content: unknown): readonly ContentPart[] {
  if ((content ?? '') === '') return NONE;
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  const parts = Array.isArray(content) ? (content as readonly unknown[]) : [content];
  return parts.map(partOf).filter(({ text }) => text !== '');
}

function partOf(part: unknown): ContentPart {
  if (typeof part === 'string') return { kind: 'text', text: part };
  const { type, text, thinking, reasoning } = recordIn(part);
  if (type === 'thinking' || type === 'reasoning') {
    return { kind: 'reasoning', text: joinedText(thinking ?? reasoning ?? text) };
  }
  if (typeof text === 'string') return { kind: 'text', text };
  return { kind: 'other', text: textIn(type) || 'unknown' };
}

/** The text of a list of parts, or a text itself. */
const joinedText = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : listIn(content)
        .map((part) => textIn(part) || textIn(recordIn(part)['text']))
        .join('');
