import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { SLICE_LENGTH_MAX, textSlices } from './text-slices';

const texts = fc.oneof(
  fc.string({ maxLength: 2_000, unit: 'binary' }),
  fc
    .array(fc.constantFrom('a', ' ', '\n', '好', '👍🏽', '==='), { maxLength: 2_000 })
    .map((parts) => parts.join('')),
);

describe('the slices of a text', () => {
  it('are the whole text, none longer than a tokenizer may be given, none empty', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const slices = [...textSlices(text)];
        expect(slices.join('')).toBe(text);
        expect(slices.every(({ length }) => length > 0 && length <= SLICE_LENGTH_MAX)).toBe(true);
      }),
    );
  });

  it('never cut a character in two', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect([...textSlices(text)].every((slice) => slice.isWellFormed())).toBe(true);
      }),
    );
  });

  it('have as many tokens as the text in one piece where it has spaces, and few more where it has none', () => {
    const inSlices = (text: string): number =>
      [...textSlices(text)].reduce((sum, slice) => sum + countTokens(slice), 0);
    const prose =
      'The harbour had been quiet, "all day", since the ferry left.\n\n  - Anna counted 41 lights. '.repeat(
        40,
      );
    expect(inSlices(prose)).toBe(countTokens(prose));
    const data = Buffer.from(prose).toString('base64');
    expect(inSlices(data)).toBeLessThan(countTokens(data) * 1.01);
  });
});
