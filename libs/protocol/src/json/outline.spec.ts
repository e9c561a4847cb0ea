import fc from 'fast-check';
import { outlineOf } from './outline';

const KEPT = 8;
const bytesOf = (text: string) => Buffer.from(text);
const outline = (text: string): string | null => {
  const found = outlineOf(bytesOf(text), KEPT);
  return found === null ? null : Buffer.from(found).toString();
};
const parsed = (text: string | null): unknown => {
  try {
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
};

/** The part of a value that an outline may show: each string is the value's own, or its beginning. */
function expectBeginnings(shown: unknown, whole: unknown): void {
  if (typeof whole === 'string') {
    expect(whole.startsWith(shown as string)).toBe(true);
    if (Buffer.byteLength(JSON.stringify(whole)) - 2 <= KEPT) expect(shown).toBe(whole);
    return;
  }
  if (typeof whole !== 'object' || whole === null) {
    expect(shown).toEqual(whole);
    return;
  }
  expect(Object.keys(shown as object)).toHaveLength(Object.keys(whole).length);
  for (const [key, value] of Object.entries(whole))
    if (Object.hasOwn(shown as object, key)) expectBeginnings((shown as Record<string, unknown>)[key], value);
}

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary', minLength: 5 }),
  fc.constant('\\"\n\u{1F600}é'.repeat(4)),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    text,
    fc.integer(),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.string({ maxLength: 6, unit: fc.constantFrom('a', 'b', 'c') }), tie('tree'), {
      maxKeys: 4,
    }),
  ),
}));

describe('the outline of a JSON text', () => {
  it('has every value, and of a long string the beginning', () => {
    fc.assert(
      fc.property(tree, fc.boolean(), (value, isSpaced) => {
        const json = JSON.stringify(value, null, isSpaced ? 2 : 0);
        expectBeginnings(parsed(outline(json)), value);
      }),
    );
  });

  it('is JSON exactly when the text is, wherever a byte of it is changed', () => {
    const bytes = fc.constantFrom(0, 9, 0x22, 0x5c, 0x75, 0x2c, 0x30, 0x61, 0x7d);
    fc.assert(
      fc.property(tree, fc.nat(), bytes, (value, place, byte) => {
        const changed = bytesOf(JSON.stringify(value));
        changed[place % changed.length] = byte;
        const json = changed.toString();
        expect(parsed(outline(json)) !== undefined).toBe(parsed(json) !== undefined);
      }),
    );
  });

  it.each([
    ['{"a":"0123456789"}', '{"a":"01234567"}'],
    ['"0123456\\u00e9 and more"', '"0123456"'],
    ['"0123456\\\\ and more"', '"0123456"'],
    ['"0123456é and more"', '"0123456"'],
    ['"01234567\\" and more"', '"01234567"'],
  ])('cuts neither an escape nor a character: %s', (json, cut) => {
    expect(outline(json)).toBe(cut);
  });

  it('is the text itself, uncopied, without a long string', () => {
    const bytes = bytesOf('{"a":"b"}');
    expect(outlineOf(bytes)).toBe(bytes);
  });
});
