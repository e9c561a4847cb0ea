import fc from 'fast-check';
import { namesIn, type OpenApiDocument, type OpenApiOperation } from '@svc/testing';
import { bodiesOf, hostile, idMark, isIdMark, valuesOf } from './schema-values';
import { isOperators } from './surface';

/** Who calls, by the name of the credential. */
export const callers = [
  'owner',
  'session',
  'noCsrf',
  'reader',
  'project',
  'token',
  'foreign',
  'operator',
  'nobody',
  'garbage',
] as const;
export type FuzzedCaller = (typeof callers)[number];

/** One call. Its ids are chosen when it is sent, so that it can name what earlier calls created. */
export interface FuzzedCall {
  readonly method: string;
  readonly path: string;
  readonly caller: FuzzedCaller;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND'];

/** Calls of one operation: fitting, nearly fitting and hostile ones. */
export function callsOf(operation: OpenApiOperation, document: OpenApiDocument): fc.Arbitrary<FuzzedCall> {
  const schema = operation.requestBody?.content['application/json']?.schema;
  const body =
    schema === undefined
      ? mostly(fc.constant(null), rawBodies)
      : mostly(
          bodiesOf(schema, document).map((value) => JSON.stringify(value)),
          rawBodies,
        );
  const types = schema === undefined ? mostly(fc.constant(undefined), contentTypes) : contentTypes;
  return fc.record({
    method: mostly(fc.constant(operation.method), fc.constantFrom(...METHODS), 15),
    path: fc.tuple(pathsOf(operation), queriesOf(operation, document)).map((parts) => parts.join('')),
    caller: callersOf(operation),
    headers: fc
      .tuple(types, headersOf(operation))
      .map(([type, others]) => ({ ...(type === undefined ? {} : { 'content-type': type }), ...others })),
    body,
  });
}

/** The first one with a weight of `weight` to 1, by default nine times out of ten. */
const mostly = <T, U>(one: fc.Arbitrary<T>, other: fc.Arbitrary<U>, weight = 9): fc.Arbitrary<T | U> =>
  fc.oneof({ weight, arbitrary: one }, { weight: 1, arbitrary: other });

const rawBodies = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '{"name":',
    'null',
    '"text"',
    '[]',
    '[[[[[[',
    '{"a":1}{"b":2}',
    '\ufeff{}',
    'a=b&c=d',
    '\u0000',
  ),
  fc.constant('['.repeat(20_000)),
  fc.string({ unit: 'binary' }),
);

const contentTypes = mostly(
  fc.constant('application/json'),
  fc.constantFrom(
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    'nonsense',
    'multipart/form-data',
  ),
  19,
);

function callersOf(operation: OpenApiOperation): fc.Arbitrary<FuzzedCaller> {
  const rightful: FuzzedCaller[] = isOperators(operation)
    ? ['operator']
    : ['owner', 'owner', 'owner', 'session'];
  return mostly(fc.constantFrom(...rightful), fc.constantFrom(...callers), 5);
}

const strangeSegments = fc.oneof(
  fc.constantFrom(
    'x',
    '%00',
    '%',
    '%ff',
    '..',
    '.',
    '',
    '%2F',
    'null',
    '__proto__',
    'a'.repeat(600),
    'versions',
    ';a=b',
  ),
  fc.string({ unit: 'grapheme' }).map((text) => encodeURIComponent(text)),
);

function pathsOf({ path, parameters }: OpenApiOperation): fc.Arbitrary<string> {
  const names = namesIn(path);
  const segments = names.map((name) => {
    const example = String(parameters.find((one) => one.name === name)?.schema['example']);
    const [, prefix] = /^([a-z]+)_[0-9a-z]{26}$/.exec(example) ?? [];
    const fitting =
      prefix === undefined
        ? fc.constant(encodeURIComponent(example))
        : fc.nat({ max: 99 }).map((pick) => idMark(prefix, pick));
    return mostly(fitting, strangeSegments, 14);
  });
  return fc
    .tuple(...segments)
    .map((chosen) =>
      names.reduce((text, name, at) => text.replace(`{${name}}`, () => chosen[at] ?? ''), path),
    );
}

function queriesOf({ parameters }: OpenApiOperation, document: OpenApiDocument): fc.Arbitrary<string> {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const pairs = known.map(({ name, schema }) =>
    fc.tuple(fc.constantFrom(name, name, `${name}[]`), mostly(valuesOf(schema, document), hostile, 6)),
  );
  const strange = fc.tuple(fc.constantFrom('colour', '__proto__', 'limit', 'cursor', ''), hostile);
  const sparsely = [...pairs, strange].map((pair) => mostly(fc.constant(null), pair, 6));
  return fc.tuple(...sparsely).map((chosen) => {
    const given = chosen.filter((pair) => pair !== null);
    if (given.length === 0) return '';
    return `?${given.map(([name, value]) => `${encodeURIComponent(name)}=${encoded(value)}`).join('&')}`;
  });
}

/** The marks of ids are not encoded: they are replaced when the call is sent. */
const encoded = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return isIdMark(text) ? text : encodeURIComponent(text.toWellFormed());
};

const tokens = fc.oneof(
  fc.constantFrom('"1"', '"2"', '*', 'W/"1"', '1', '"', '"1", "2"'),
  fc.string({ unit: fc.constantFrom(...'abc019-_"*,; ') }),
);

function headersOf({ parameters }: OpenApiOperation): fc.Arbitrary<Record<string, string>> {
  const known = parameters.filter(({ in: place, name }) => place === 'header' && name !== 'X-CSRF-Token');
  const some = known.map(({ name }) =>
    mostly(
      fc.constant(undefined),
      name === 'Svc-Organization' ? fc.nat({ max: 99 }).map((pick) => idMark('org', pick)) : tokens,
      8,
    ),
  );
  return fc.tuple(...some).map((values) =>
    Object.fromEntries(
      known.flatMap(({ name }, at) => {
        const value = values[at];
        return value === undefined ? [] : [[name.toLowerCase(), value]];
      }),
    ),
  );
}
