import { isFields, wrongType } from '../body/body-fields';

const TEXT_PARTS: readonly unknown[] = ['text'];

/**
 * The text in a message's content: the content itself, or its parts of the given types, a line each. Other parts have
 * no text.
 */
export function contentText(content: unknown, param: string, textParts = TEXT_PARTS): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw wrongType(param, 'a string or a list of parts');
  return content
    .map((part: unknown, at) => partText(part, `${param}[${String(at)}]`, textParts))
    .filter((text) => text !== undefined)
    .join('\n');
}

function partText(part: unknown, param: string, textParts: readonly unknown[]): string | undefined {
  if (!isFields(part)) throw wrongType(param, 'an object');
  if (!textParts.includes(part.type)) return undefined;
  if (typeof part.text !== 'string') throw wrongType(`${param}.text`, 'a string');
  return part.text;
}
