import { decodeUtf8, encodeUtf8, fromByteText, toByteText } from '../json/byte-text';
import { jsonStringBytes } from '../stream/sse-frame';

/** An array or object that is still open. */
interface OpenContainer {
  readonly isObject: boolean;
  /** An object's keys and values. */
  readonly members: (readonly [key: string, value: string])[];
  /** An array's items, as one text. */
  items: string;
  /** The key whose value comes next. */
  key: string | null;
}

const LITERAL = /[^\s,:[\]{}"]+/y;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** A longer number is compared by its spelling. */
const NUMBER_CHARACTERS_MAX = 40;

/**
 * The JSON value of a body as byte text, the same for equal values and for no others: keys in one order, no white
 * space, one spelling of strings and numbers (docs/reference/idempotency.md#the-same-body).
 *
 * It reads the bytes because `JSON.parse` loses differences: digits of large numbers, repeated keys, and in V8 13.6
 * some keys after a key that ends in a backslash. It does not recurse, and joins values as ropes: its cost grows with
 * the body's size, not with its depth.
 *
 * @throws SyntaxError for a body that is not JSON.
 */
export function canonicalBody(body: Uint8Array): string {
  return new CanonicalReader(toByteText(body)).read();
}

class CanonicalReader {
  readonly #text: string;
  readonly #open: OpenContainer[] = [];
  /**
   * The last value read, until the next character shows whether it is a key, an item, a member's value or the whole
   * text.
   */
  #value: string | null = null;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): string {
    while (this.#at < this.#text.length) this.#readPart(this.#text.charAt(this.#at));
    if (this.#value === null || this.#open.length > 0) throw this.#noJson();
    return this.#value;
  }

  #readPart(first: string): void {
    switch (first) {
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        this.#at++;
        return;
      case '{':
      case '[':
        this.#open.push({ isObject: first === '{', members: [], items: '', key: null });
        this.#at++;
        return;
      case ':':
        this.#endKey();
        return;
      case ',':
        this.#endValue(this.#container());
        this.#at++;
        return;
      case '}':
      case ']':
        this.#endContainer(first === '}');
        return;
      case '"':
        this.#readString();
        return;
      default:
        this.#readLiteral();
    }
  }

  #readString(): void {
    const end = this.#at + jsonStringBytes(this.#text, this.#at) + 2;
    if (end > this.#text.length) throw this.#noJson();
    this.#found(canonicalString(this.#text.slice(this.#at, end)));
    this.#at = end;
  }

  #readLiteral(): void {
    LITERAL.lastIndex = this.#at;
    const literal = LITERAL.exec(this.#text)?.[0];
    if (literal === undefined) throw this.#noJson();
    this.#found(canonicalLiteral(literal));
    this.#at += literal.length;
  }

  #endKey(): void {
    const container = this.#container();
    if (!container.isObject || container.key !== null || this.#value === null) throw this.#noJson();
    container.key = this.#value;
    this.#value = null;
    this.#at++;
  }

  #endValue(container: OpenContainer): void {
    if (this.#value === null || container.isObject !== (container.key !== null)) throw this.#noJson();
    if (container.key === null) container.items += (container.items && ',') + this.#value;
    else container.members.push([container.key, this.#value]);
    container.key = null;
    this.#value = null;
  }

  #endContainer(isObject: boolean): void {
    const container = this.#container();
    if (container.isObject !== isObject) throw this.#noJson();
    if (this.#value !== null || container.key !== null) this.#endValue(container);
    this.#open.pop();
    this.#found(isObject ? `{${sorted(container.members)}}` : `[${container.items}]`);
    this.#at++;
  }

  #found(value: string): void {
    if (this.#value !== null) throw this.#noJson();
    this.#value = value;
  }

  #container(): OpenContainer {
    const container = this.#open.at(-1);
    if (container === undefined) throw this.#noJson();
    return container;
  }

  #noJson(): SyntaxError {
    return new SyntaxError(`no JSON at byte ${String(this.#at)}`);
  }
}

/** Equal keys keep their order, because it decides which of them a parser uses. */
function sorted(members: readonly (readonly [key: string, value: string])[]): string {
  let text = '';
  for (const [key, value] of members.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
    text += (text && ',') + key + ':' + value;
  }
  return text;
}

/** A string without an escape has only one spelling. */
function canonicalString(quoted: string): string {
  if (!quoted.includes('\\')) return quoted;
  return toByteText(encodeUtf8(JSON.stringify(JSON.parse(decodeUtf8(fromByteText(quoted))))));
}

/** Exact in every digit: as JavaScript numbers, different large numbers could be equal. */
function canonicalLiteral(literal: string): string {
  if (literal === 'true' || literal === 'false' || literal === 'null') return literal;
  const [, sign, whole, fraction = '', exponent = '0'] = NUMBER.exec(literal) ?? [];
  if (sign === undefined || whole === undefined) throw new SyntaxError('no JSON literal');
  if (literal.length > NUMBER_CHARACTERS_MAX) return literal;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return `${sign}0`;
  const scale = BigInt(exponent) + BigInt(digits.length - significant.length - fraction.length);
  return `${sign}${significant}e${String(scale)}`;
}
