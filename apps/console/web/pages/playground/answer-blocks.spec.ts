import fc from 'fast-check';
import { blocksOf, sentencesOf } from './answer-blocks';

describe('the blocks of an answer', () => {
  it('tell fenced code from prose, and a fence that is still open from one that is closed', () => {
    const text = 'Run this:\n\n```js\nconst a = `x`;\n```\nDone.\n~~~\nhalf';
    expect(blocksOf(text)).toEqual([
      { kind: 'prose', language: '', text: 'Run this:\n', isClosed: true },
      { kind: 'code', language: 'js', text: 'const a = `x`;', isClosed: true },
      { kind: 'prose', language: '', text: 'Done.', isClosed: true },
      { kind: 'code', language: '', text: 'half', isClosed: false },
    ]);
  });

  it('keep a shorter fence inside a longer one', () => {
    expect(blocksOf('````\n```\ninner\n```\n````')).toHaveLength(1);
  });

  it('hold every word of an answer without fences, sentence by sentence', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(sentencesOf(text).join('')).toBe(text);
      }),
    );
    expect(sentencesOf('One. Two! Thr')).toEqual(['One. ', 'Two! ', 'Thr']);
  });
});
