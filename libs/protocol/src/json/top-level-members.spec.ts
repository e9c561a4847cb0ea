import fc from 'fast-check';
import { decodeUtf8, encodeUtf8 } from './byte-text';
import { type MemberEdits, spliceListed, spliceMembers } from './splice';
import { membersInside, objectsInside, topLevelMembers } from './top-level-members';

const space = fc.constantFrom('', ' ', '\n', '\r\n\t', '   ');
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', '\\', '"', '}{][,:', '\\"'.repeat(40), 'é漢😀', 'x'.repeat(200) + '\\'),
);
const flat = fc.array(fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer()));
const value = fc.oneof(
  text,
  fc.array(fc.oneof(flat, fc.constantFrom<unknown>([1, ']'], [1, [2]], [1, { a: ']' }]))),
  fc.jsonValue(),
  fc.constantFrom<unknown>(null, true, -1.5e3, [], {}, [{ a: '}' }]),
);
type MemberText = readonly [key: string, valueText: string];

/**
 * JSON objects with white space anywhere and escaped keys, beside their members. The members are the generated text,
 * not the result of `JSON.parse`: V8 13.6 reads the key `"b\\""` as `b\\` after it has seen an object with a key `b\\`.
 */
const objectText = fc
  .array(fc.tuple(text, value, fc.array(space, { minLength: 4, maxLength: 4 }), fc.boolean()))
  .chain((members) => fc.tuple(fc.constant(members), space, space))
  .map(([members, before, inside]) => {
    const written: MemberText[] = [];
    const parts = members.map(([key, held, [a = '', b = '', c = '', d = ''], escaped]) => {
      const valueText = JSON.stringify(held, null, b === '' ? 0 : 2);
      written.push([key, valueText]);
      return `${a}${escaped ? escapeAll(key) : JSON.stringify(key)}${b}:${c}${valueText}${d}`;
    });
    return { json: `${before}{${inside}${parts.join(',')}}${before}`, written };
  });

function membersOf(json: string): MemberText[] {
  const bytes = encodeUtf8(json);
  return topLevelMembers(bytes).members.map(({ key, valueStart, valueEnd }) => [
    key,
    decodeUtf8(bytes.subarray(valueStart, valueEnd)),
  ]);
}

function escapeAll(key: string): string {
  const units = key.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `"${units.join('')}"`;
}

describe('topLevelMembers', () => {
  it('finds every member with the exact text of its value, and nothing else', () => {
    fc.assert(
      fc.property(objectText, ({ json, written }) => {
        expect(membersOf(json)).toEqual(written);
        const bytes = encodeUtf8(json);
        const { open, close } = topLevelMembers(bytes);
        expect(decodeUtf8(bytes.subarray(open, close + 1))).toBe(json.trim());
      }),
      { numRuns: 500 },
    );
  });

  it('returns both of two equal keys, however they are escaped', () => {
    const { members } = topLevelMembers(encodeUtf8('{"model":1,"mod\\u0065l":2}'));
    expect(members.map(({ key }) => key)).toEqual(['model', 'model']);
  });

  it('throws when the text ends too early', () => {
    for (const cut of [
      '{',
      '{"a',
      '{"a":',
      '{"a":1',
      '{"a":"',
      '{"a":[1',
      '{"a":[[1,2],[3',
      '{"a":"' + 'x'.repeat(100),
      '[]',
      '',
    ]) {
      expect(() => topLevelMembers(encodeUtf8(cut))).toThrow(RangeError);
    }
  });
});

describe('spliceMembers', () => {
  const spliceAll = (json: string, edits: MemberEdits): string => {
    const bytes = encodeUtf8(json);
    return Buffer.concat(spliceMembers(bytes, topLevelMembers(bytes), edits)).toString();
  };
  const splice = (json: string, edits: Record<string, string | null>): string =>
    spliceAll(json, Object.entries(edits));

  it.each([
    ['replaces a value in place', '{ "a" : 1 , "b":2 }', { a: '"x"' }, '{ "a" : "x" , "b":2 }'],
    ['removes the first member', '{ "a":1, "b":2 }', { a: null }, '{ "b":2 }'],
    ['removes a middle member', '{"a":1, "b":2, "c":3}', { b: null }, '{"a":1, "c":3}'],
    ['removes the last member', '{"a":1, "b":2 }', { b: null }, '{"a":1 }'],
    ['removes the only member', '{ "a":1 }', { a: null }, '{  }'],
    ['removes all members', '{"a":1,"b":2,"c":3}', { a: null, b: null, c: null }, '{}'],
    ['appends to an empty object', '{ }', { a: '1', b: '2' }, '{"a":1,"b":2 }'],
    ['appends after the last member', '{"a":1\n}', { b: '2' }, '{"a":1,"b":2\n}'],
    ['appends where all were removed', '{"a":1,"b":2}', { a: null, b: null, c: '3' }, '{"c":3}'],
    ['appends after a removed last member', '{"a":1,"b":2}', { b: null, c: '3' }, '{"a":1,"c":3}'],
    ['removes what is absent', '{"a":1}', { z: null }, '{"a":1}'],
    ['edits both of two equal keys', '{"a":1,"a":2}', { a: '3' }, '{"a":3,"a":3}'],
  ])('%s', (_, json, edits, expected) => {
    expect(splice(json, edits as Record<string, string | null>)).toBe(expected);
  });

  it('changes the named members and keeps the rest, for any object and any edits', () => {
    const edit = fc.option(fc.constantFrom('1', '"}"', '{"a":[]}'), { nil: null });
    fc.assert(
      fc.property(objectText, fc.dictionary(text, edit), ({ json, written }, named) => {
        const edits = new Map(Object.entries(named));
        const kept = written.flatMap(([key, valueText]): MemberText[] => {
          const edited = edits.get(key);
          return edited === null ? [] : [[key, edited ?? valueText]];
        });
        const known = new Set(written.map(([key]) => key));
        const added = Array.from(edits).filter(([key, edited]) => !known.has(key) && edited !== null);
        const spliced = splice(json, named);
        expect(() => JSON.parse(spliced) as unknown).not.toThrow();
        expect(membersOf(spliced)).toEqual([...kept, ...added]);
      }),
      { numRuns: 500 },
    );
  });

  it('applies the first of several edits of a member, present or absent', () => {
    const edit = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2', null));
    fc.assert(
      fc.property(fc.array(edit), fc.subarray(['a', 'b', 'c']), (edits, present) => {
        const json = JSON.stringify(Object.fromEntries(present.map((key) => [key, 0])));
        const firsts = edits.filter(([key], at) => edits.findIndex(([other]) => other === key) === at);
        expect(spliceAll(json, edits)).toBe(spliceAll(json, firsts));
      }),
    );
  });

  it('does not copy the bytes it keeps', () => {
    const bytes = encodeUtf8(`{"model":"a","messages":"${'x'.repeat(1000)}"}`);
    const pieces = spliceMembers(bytes, topLevelMembers(bytes), [['model', '"b"']]);
    expect(pieces.at(-1)?.buffer).toBe(bytes.buffer);
  });
});

describe('membersInside', () => {
  it('finds the members of an object in an object, wherever it stands', () => {
    fc.assert(
      fc.property(objectText, objectText, ({ json, written }, { json: around, written: others }) => {
        fc.pre(others.length > 0 && others.every(([key]) => key !== 'inner'));
        const open = around.indexOf('{') + 1;
        const first = `${around.slice(0, open)}"inner":${json},${around.slice(open)}`;
        const last = `${around.slice(0, around.lastIndexOf('}'))},"inner" : ${json}}`;
        for (const text of [first, last]) {
          const bytes = encodeUtf8(text);
          const { members } = membersInside(bytes, 'inner')!;
          expect(
            members.map(({ key, valueStart, valueEnd }) => [
              key,
              decodeUtf8(bytes.subarray(valueStart, valueEnd)),
            ]),
          ).toEqual(written);
        }
      }),
    );
  });

  it.each(['{}', '{"a":{}}', '{"inner":[{}]}', '{"inner":null}', '{"inner":{"a":1', '{"inner":"{}"}', ''])(
    'finds nothing in %p',
    (json) => {
      expect(membersInside(encodeUtf8(json), 'inner')).toBeNull();
    },
  );
});

describe('objectsInside', () => {
  it('finds every object of a list, whatever else is in it', () => {
    const item = fc.oneof(value, fc.dictionary(text, value));
    fc.assert(
      fc.property(fc.array(item), space, (items, gap) => {
        const json = items.map((one) => JSON.stringify(one));
        const bytes = encodeUtf8(`{"a":[1],"list":${gap}[${gap}${json.join(`${gap},${gap}`)}${gap}]}`);
        const found = objectsInside(bytes, 'list').map(({ open, close }) =>
          decodeUtf8(bytes.subarray(open, close + 1)),
        );
        expect(found).toEqual(json.filter((one) => one.startsWith('{')));
      }),
    );
  });

  it.each(['{}', '{"list":{}}', '{"list":null}', '{"other":[{}]}', '{"list":[1,[{}],"{}"]}'])(
    'finds nothing in %p',
    (json) => {
      expect(objectsInside(encodeUtf8(json), 'list')).toEqual([]);
    },
  );

  it.each(['{"list":[{}', '{"list":[1}', '{"list":[', '{"list":[,]}'])('comes to an end in %p', (json) => {
    expect(() => objectsInside(encodeUtf8(json), 'list')).toThrow(RangeError);
  });

  it('lets each be changed, and no other byte', () => {
    const bytes = encodeUtf8('{"list": [ {"a":1}, 2, {"a":3 , "b":4} ], "a":5}');
    const changed = spliceListed(bytes, 'list', [[['a', '10']], [['a', null]]]);
    expect(decodeUtf8(changed)).toBe('{"list": [ {"a":10}, 2, {"b":4} ], "a":5}');
  });
});
