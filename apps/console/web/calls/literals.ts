import { quoted, value, type Part, type Piece } from './parts';

/** A value in a body of JSON. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json | undefined };
export type JsonObject = Readonly<Record<string, Json | undefined>>;

/** How a notation writes what the three do not share. */
interface Notation {
  readonly constants: { readonly true: string; readonly false: string; readonly null: string };
  readonly name: (name: string) => Piece;
  /** Inside the braces of an object. */
  readonly space: string;
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const WORDS = { true: 'true', false: 'false', null: 'null' };

export const json: Notation = { constants: WORDS, name: quoted, space: '' };
export const javascript: Notation = {
  constants: WORDS,
  name: (name) => (IDENTIFIER.test(name) ? name : quoted(name)),
  space: ' ',
};
export const python: Notation = {
  constants: { true: 'True', false: 'False', null: 'None' },
  name: quoted,
  space: '',
};

/** The members of an object that are there. */
export const membersOf = (object: JsonObject): readonly (readonly [name: string, member: Json])[] =>
  Object.entries(object).flatMap(([name, member]) => (member === undefined ? [] : [[name, member] as const]));

/** A value in one line of code. */
export function literal(of: Json, notation: Notation): readonly Piece[] {
  if (typeof of === 'string') return [quoted(of)];
  if (typeof of === 'number') return [value(JSON.stringify(of))];
  if (of === null || typeof of === 'boolean') return [constant(of, notation)];
  if (isList(of)) return ['[', ...joined(of.map((item) => literal(item, notation))), ']'];
  const members = membersOf(of).map(([name, member]) => [
    notation.name(name),
    ': ',
    ...literal(member, notation),
  ]);
  if (members.length === 0) return ['{}'];
  return [`{${notation.space}`, ...joined(members), `${notation.space}}`];
}

const constant = (of: boolean | null, { constants }: Notation): Part =>
  value(of === null ? constants.null : of ? constants.true : constants.false);

const isList = (of: object): of is readonly Json[] => Array.isArray(of);

const joined = (items: readonly (readonly Piece[])[]): readonly Piece[] =>
  items.flatMap((item, place) => (place === 0 ? item : [', ', ...item]));
