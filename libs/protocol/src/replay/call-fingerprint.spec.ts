import fc from 'fast-check';
import { anthropicHeadersIn } from '../call/anthropic-headers';
import { encodeUtf8 } from '../json/byte-text';
import { callFingerprint } from './call-fingerprint';

const fingerprint = (json: string, operation: 'chat_completions' | 'messages' = 'messages'): string =>
  callFingerprint(operation, encodeUtf8(json)).toString('hex');
const same = (...bodies: string[]): boolean => new Set(bodies.map((body) => fingerprint(body))).size === 1;

/** Compared as text, because `JSON.parse` of V8 13.6 misreads some keys after a key `b\`. */
type Written =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'array'; readonly items: readonly Written[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [key: string, value: Written])[] };

const strings = fc.oneof(
  fc.constantFrom(
    '',
    'b\\',
    'b"',
    'b',
    'b\\"',
    '\\',
    '"',
    '__proto__',
    'a',
    '\ud800',
    'é',
    '\u2028',
    '":',
    '{',
    ']',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const { written } = fc.letrec<{ written: Written }>((tie) => ({
  written: fc.oneof(
    { maxDepth: 4 },
    fc
      .oneof(
        strings.map((text) => JSON.stringify(text)),
        fc.constantFrom(
          'null',
          'true',
          'false',
          '0',
          '1',
          '10',
          '-1',
          '1.5',
          '9007199254740992',
          '9007199254740993',
        ),
      )
      .map((text): Written => ({ kind: 'literal', text })),
    fc.array(tie('written'), { maxLength: 3 }).map((items): Written => ({ kind: 'array', items })),
    fc
      .uniqueArray(fc.tuple(strings, tie('written')), { maxLength: 4, selector: ([key]) => key })
      .map((members): Written => ({ kind: 'object', members })),
  ),
}));
interface Spelling {
  readonly space: string;
  readonly isReversed: boolean;
  readonly isEscaped: boolean;
}
const spelling = fc.record({
  space: fc.constantFrom('', ' ', '\n\t', '\r\n'),
  isReversed: fc.boolean(),
  isEscaped: fc.boolean(),
});
const escapeAll = (quoted: string): string =>
  `"${Array.from(
    { length: (JSON.parse(quoted) as string).length },
    (_, at) => `\\u${(JSON.parse(quoted) as string).charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')}"`;
function spell(value: Written, how: Spelling): string {
  const { space, isReversed, isEscaped } = how;
  const stringText = (quoted: string): string => (isEscaped ? escapeAll(quoted) : quoted);
  if (value.kind === 'literal') return value.text.startsWith('"') ? stringText(value.text) : value.text;
  if (value.kind === 'array')
    return `[${space}${value.items.map((item) => spell(item, how)).join(`${space},`)}]`;
  const members = value.members.map(
    ([key, member]) => `${stringText(JSON.stringify(key))}${space}:${space}${spell(member, how)}`,
  );
  return `{${space}${(isReversed ? members.reverse() : members).join(`,${space}`)}${space}}`;
}
/** Equal for equal values only. */
function meaning(value: Written): string {
  if (value.kind === 'literal') return value.text;
  if (value.kind === 'array') return `[${value.items.map(meaning).join()}]`;
  const members = value.members.map(([key, member]) => `${JSON.stringify(key)}:${meaning(member)}`);
  return `{${members.sort().join()}}`;
}

describe('the fingerprint of a call', () => {
  it('is the same however its body is spelled', () => {
    fc.assert(
      fc.property(written, spelling, spelling, (value, one, other) => {
        expect(fingerprint(spell(value, one))).toBe(fingerprint(spell(value, other)));
      }),
    );
  });

  it('differs where bodies differ', () => {
    fc.assert(
      fc.property(written, written, spelling, (a, b, how) => {
        expect(fingerprint(spell(a, how)) === fingerprint(spell(b, how))).toBe(meaning(a) === meaning(b));
      }),
      { numRuns: 500 },
    );
  });

  it('differs between routes', () => {
    expect(fingerprint('{}', 'messages')).not.toBe(fingerprint('{}', 'chat_completions'));
  });

  it.each([
    ['key order', '{"a":1,"b":2}', '{"b":2,"a":1}'],
    ['white space', '{"a":[1,2]}', ' {\n"a" : [ 1 ,\t2 ] }\r\n'],
    ['escapes', '{"a":"\\u0041\\/\\u00e9"}', '{"a":"A/é"}'],
    ['the spelling of numbers', '[1,150,0.5,0]', '[1.0,1.5e2,5E-1,0.0]'],
  ])('does not count %s', (_, one, other) => {
    expect(same(one, other)).toBe(true);
  });

  it.each([
    ['the last digit of a large number', '[9007199254740993]', '[9007199254740992]'],
    ['numbers that are too large', '[1e999]', '[2e999]'],
    ['numbers that are too small', '[1e-999]', '[0]'],
    ['the sign of zero', '[0]', '[-0]'],
    ['a key given twice', '{"a":1,"a":2}', '{"a":2}'],
    ['the order of a key given twice', '{"a":1,"a":2}', '{"a":2,"a":1}'],
    ['half a character', '["\\ud800"]', '["\\ufffd"]'],
    ['a number and its text', '[1]', '["1"]'],
    ['the order of a list', '[1,2]', '[2,1]'],
    ['where a list ends', '[[1],2]', '[[1,2]]'],
    ['null and absence', '{"a":null}', '{}'],
    ['the key b" after a key b\\', '[{"b\\\\":1},{"b\\"":2}]', '[{"b\\\\":1},{"b\\\\":2}]'],
    ['__proto__', '{"__proto__":1}', '{}'],
  ])('counts %s', (_, one, other) => {
    expect(same(one, other)).toBe(false);
  });

  it.each([
    '',
    '{',
    '[1',
    '{"a"}',
    '{"a":}',
    '[1 2]',
    '1 2',
    '{"a":1]',
    '{a:1}',
    'tru',
    '"a',
    ',',
    ':',
    '}',
    '{"a":1:2}',
  ])('refuses %j, which is no JSON', (body) => {
    expect(() => fingerprint(body)).toThrow(expect.objectContaining({ reason: 'invalidRequest' }) as Error);
  });
});

describe('the fingerprint of a call with Anthropic’s headers', () => {
  const withHeaders = (headers: Record<string, string>): string =>
    callFingerprint('messages', encodeUtf8('{}'), anthropicHeadersIn(headers)).toString('hex');

  it('differs by betas and version', () => {
    const versioned = { 'anthropic-version': '2026-10-21' };
    const all = [{}, { 'anthropic-beta': 'a' }, { 'anthropic-beta': 'a,b' }, versioned];
    const fingerprints = [...all, { ...versioned, 'anthropic-beta': 'a' }].map(withHeaders);
    expect(new Set(fingerprints).size).toBe(fingerprints.length);
  });

  it('is the same however the list is written, and in any order', () => {
    const lists = ['a,b', ' b , a', 'a,,b,a'].map((list) => withHeaders({ 'anthropic-beta': list }));
    expect(new Set(lists).size).toBe(1);
  });

  it('is that of a call without headers where they say the same as none', () => {
    expect(withHeaders({ 'anthropic-version': '2023-06-01', 'anthropic-beta': ' ,' })).toBe(
      fingerprint('{}'),
    );
  });
});

it('the fingerprint of a call without headers never changes: stored claims are compared with it', () => {
  expect(fingerprint('{"model":"a/b"}')).toBe(
    '0cb2ab3d170e058ed94f65e8940079f3a9830aeab49d49517b3a0dbefa65e15b',
  );
});
