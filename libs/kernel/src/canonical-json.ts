import { isRawJson, type JsonInteger } from './exact-json';

export type JsonValue =
  null | boolean | JsonInteger | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** A value and the text before it: a bracket or a comma, and its key. The last part of a container has no value. */
interface Part {
  readonly before: string;
  readonly value?: JsonValue;
}

/**
 * JSON with keys sorted by Unicode code point at every depth and no white space: equal values give equal text
 * (docs/reference/webhooks.md#the-delivery-request, docs/reference/idempotency.md#the-same-body). It does not recurse,
 * so a value may be nested to any depth.
 */
export function canonicalJson(value: JsonValue): string {
  let text = '';
  /** A stack: the next part to write is the last item. */
  const left: Part[] = [{ before: '', value }];
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    text += part.before;
    if (part.value === undefined) continue;
    if (part.value === null || typeof part.value !== 'object' || isRawJson(part.value))
      text += JSON.stringify(part.value);
    else for (const inner of partsOf(part.value).reverse()) left.push(inner);
  }
  return text;
}

function partsOf(container: Extract<JsonValue, object>): Part[] {
  if (Array.isArray(container)) {
    const items = (container as readonly JsonValue[]).map((value, at) => ({
      before: at === 0 ? '[' : ',',
      value,
    }));
    return [...items, { before: items.length === 0 ? '[]' : ']' }];
  }
  const members = Object.entries(container)
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([key, value], at) => ({ before: `${at === 0 ? '{' : ','}${JSON.stringify(key)}:`, value }));
  return [...members, { before: members.length === 0 ? '{}' : '}' }];
}

/** UTF-16 order, except that surrogates sort last: they encode the highest code points. */
function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const difference = rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
