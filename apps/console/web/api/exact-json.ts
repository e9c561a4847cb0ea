import { jsonInteger, parseJsonWithSource } from '@svc/kernel';

const MONEY = /_nanos$/;
const WHOLE = /^-?\d+$/;

/**
 * JSON in which every integer of a `*_nanos` member is a `bigint`, read from the source text: a `number` would lose the
 * last digits beyond 2⁵³.
 * @throws SyntaxError for text that is no JSON, or where a browser keeps no source text and a number was rounded.
 */
export const parseExact = (text: string): unknown =>
  parseJsonWithSource(text, (key, value, source) => {
    if (typeof value !== 'number' || !MONEY.test(key)) return value;
    const digits = source ?? (Number.isSafeInteger(value) ? String(value) : '');
    if (WHOLE.test(digits)) return BigInt(digits);
    throw new SyntaxError(`${key} is no whole number of nanos`);
  });

/** JSON in which a `bigint` is an integer of as many digits as it has; by lines where an indent is given. */
export const stringifyExact = (value: unknown, indent = 0): string =>
  JSON.stringify(
    value,
    (_, member: unknown) => (typeof member === 'bigint' ? jsonInteger(member) : member),
    indent,
  );
