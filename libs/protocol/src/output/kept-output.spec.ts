import fc from 'fast-check';
import { encodeUtf8, toByteText } from '../json/byte-text';
import { type GeneratedPiece } from './generated-text';
import { KeptOutput } from './kept-output';

/** As it stands inside a JSON string of a frame. */
const written = (text: string): string => toByteText(encodeUtf8(JSON.stringify(text).slice(1, -1)));
const textsOf = (kept: KeptOutput): GeneratedPiece[] =>
  JSON.parse(Buffer.from(kept.toJson()).toString()) as GeneratedPiece[];
const content = { member: 'content', at: '0' };

describe('the kept output of a stream', () => {
  it('has every text whole, however it is cut and mixed with others', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 9_000 });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(2), text)), (pieces) => {
        const kept = new KeptOutput();
        for (const [at, piece] of pieces) kept.add({ member: 'content', at: String(at) }, written(piece));
        const whole = [0, 1, 2].map((at) =>
          pieces.flatMap(([of, piece]) => (of === at ? [piece] : [])).join(''),
        );
        const inOrder = [...new Set(pieces.map(([at]) => at))].map((at) => ['content', whole[at]]);
        expect(textsOf(kept)).toEqual(inOrder);
      }),
      { numRuns: 50 },
    );
  });

  it('joins an emoji whose halves came in two pieces', () => {
    const kept = new KeptOutput();
    kept.add(content, String.raw`\ud83d`);
    kept.add(content, String.raw`\ude00`);
    expect(textsOf(kept)).toEqual([['content', '😀']]);
  });

  it('keeps no more than its bound, and counts the bytes of the rest', () => {
    const kept = new KeptOutput(10);
    for (const text of ['12345678', '901', '2']) kept.add(content, text);
    expect(textsOf(kept)).toEqual([['content', '12345678']]);
    expect(kept.omittedBytes).toBe(4);
  });

  it('has reasoning once that a server sends under both of its names', () => {
    const kept = new KeptOutput();
    for (const member of ['reasoning', 'reasoning_content']) kept.add({ member, at: '0' }, 'Hm');
    kept.add({ member: 'reasoning', at: '1' }, 'Well');
    expect(textsOf(kept)).toEqual([
      ['reasoning_content', 'Hm'],
      ['reasoning', 'Well'],
    ]);
  });

  it('is an empty list without text', () => {
    expect(textsOf(new KeptOutput())).toEqual([]);
  });
});
