import fc from 'fast-check';
import { encodeUtf8 } from './byte-text';
import { isNestedDeeperThan } from './nesting';

const bracketText = fc.stringMatching(/^[[\]{}"\\a]*$/);
const json = fc.jsonValue({ maxDepth: 6, stringUnit: fc.constantFrom('[', ']', '{', '}', '"', '\\', 'é') });

function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf));
}
const isDeeper = (levelsMax: number, text: string) => isNestedDeeperThan(levelsMax, encodeUtf8(text));

describe('the nesting of a JSON text', () => {
  it('is that of its value, whatever its strings hold', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value, null, 1);
        const levels = levelsOf(value);
        expect(isDeeper(levels, text)).toBe(false);
        if (levels > 0) expect(isDeeper(levels - 1, text)).toBe(true);
      }),
    );
  });

  it('is defined for text that is not JSON', () => {
    fc.assert(
      fc.property(bracketText, (text) => {
        expect(isDeeper(text.length, text)).toBe(false);
      }),
    );
    expect(isDeeper(3, '[[[[')).toBe(true);
    expect(isDeeper(3, '"[[[[')).toBe(false);
  });
});
