import { isRecord } from '../json/byte-text';

/** A type that a field may have, with its name for error messages. */
export interface ValueKind {
  /** Completes "must be …". */
  readonly name: string;
  accepts(value: unknown): boolean;
}

export const aString: ValueKind = { name: 'a string', accepts: (value) => typeof value === 'string' };
export const aNumber: ValueKind = { name: 'a number', accepts: (value) => typeof value === 'number' };
export const aBoolean: ValueKind = { name: 'a boolean', accepts: (value) => typeof value === 'boolean' };
export const anInteger: ValueKind = { name: 'an integer', accepts: Number.isInteger };
export const anArray: ValueKind = { name: 'an array', accepts: Array.isArray };
export const anObject: ValueKind = { name: 'an object', accepts: isRecord };

export const aPositiveInteger: ValueKind = integerFrom(1, 'a positive integer');
export const aCount: ValueKind = integerFrom(0, 'an integer that is not negative');

export const aNonEmptyString: ValueKind = {
  name: 'a non-empty string',
  accepts: (value) => typeof value === 'string' && value !== '',
};

export const aNonEmptyArray: ValueKind = {
  name: 'a non-empty array',
  accepts: (value) => Array.isArray(value) && value.length > 0,
};

export const anArrayOfStrings: ValueKind = {
  name: 'an array of strings',
  accepts: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
};

export function oneOf(...words: readonly string[]): ValueKind {
  return {
    name: words.map((word) => `"${word}"`).join(' or '),
    accepts: (value) => typeof value === 'string' && words.includes(value),
  };
}

export function either(one: ValueKind, other: ValueKind): ValueKind {
  return {
    name: `${one.name} or ${other.name}`,
    accepts: (value) => one.accepts(value) || other.accepts(value),
  };
}

function integerFrom(least: number, name: string): ValueKind {
  return { name, accepts: (value) => Number.isSafeInteger(value) && (value as number) >= least };
}
