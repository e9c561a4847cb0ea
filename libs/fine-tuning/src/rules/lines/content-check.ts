import { isList, isObject, type FieldFault, type JsonObject } from './field-fault';

/** The field of each type of part that holds its text or address. */
const PARTS: Readonly<Record<string, string>> = {
  text: 'text',
  refusal: 'refusal',
  image_url: 'image_url',
};

/** The fault in the content of a message: a text, or a list of parts. Only a message of calls needs none. */
export function contentFault({ content, tool_calls: calls }: JsonObject, at: string): FieldFault | null {
  const param = `${at}.content`;
  if (typeof content === 'string') return null;
  if (content === undefined || content === null) {
    return calls === undefined ? { param, message: 'must be a text or a list of parts' } : null;
  }
  if (!isList(content) || content.length === 0) {
    return { param, message: 'must be a text or a list of parts' };
  }
  for (const [index, part] of content.entries()) {
    const fault = partFault(part, `${param}[${String(index)}]`);
    if (fault !== null) return fault;
  }
  return null;
}

function partFault(part: unknown, at: string): FieldFault | null {
  if (!isObject(part)) return { param: at, message: 'must be an object' };
  const { type } = part;
  const field = typeof type === 'string' && Object.hasOwn(PARTS, type) ? PARTS[type] : undefined;
  if (field === undefined) {
    return { param: `${at}.type`, message: `must be one of ${Object.keys(PARTS).join(', ')}` };
  }
  const value = part[field];
  if (type !== 'image_url') {
    return typeof value === 'string' ? null : { param: `${at}.${field}`, message: 'must be a text' };
  }
  if (isObject(value) && typeof value['url'] === 'string') return null;
  return { param: `${at}.image_url.url`, message: 'must be a text' };
}
