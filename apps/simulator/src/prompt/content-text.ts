import { isFields, wrongType } from '../body/body-fields';

/** The text in a message's content: the content itself, or its text parts, a line each. Other parts have no text. */
export function contentText(content: unknown, param: string): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw wrongType(param, 'a string or a list of parts');
  return content
    .map((part: unknown, at) => partText(part, `${param}[${String(at)}]`))
    .filter((text) => text !== undefined)
    .join('\n');
}

function partText(part: unknown, param: string): string | undefined {
  if (!isFields(part)) throw wrongType(param, 'an object');
  if (part.type !== 'text') return undefined;
  if (typeof part.text !== 'string') throw wrongType(`${param}.text`, 'a string');
  return part.text;
}
