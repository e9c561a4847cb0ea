import fc from 'fast-check';
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base';
import { corpus } from '../testing/text-corpus';
import { countedPromptBound } from './counted-prompt-bound';

const countOf = (text: string) => ({
  tokenCount: o200k(text),
  wideBytes: Buffer.byteLength(text) - text.length,
});
const byBytes = (text: string) => ({
  promptTokensMax: Buffer.byteLength(text),
  promptBytes: Buffer.byteLength(text),
});

describe('the bound of a counted prompt', () => {
  it.each(corpus)('is no less than the count of any tokenizer for $name', ({ text, claude2, llama3 }) => {
    const bound = countedPromptBound(countOf(text), byBytes(text));
    expect(bound).toBeGreaterThanOrEqual(Math.max(o200k(text), cl100k(text), claude2, llama3));
  });

  it('is less than half a token per byte for text in Latin script and for code', () => {
    for (const { name, text } of corpus) {
      if (!['English', 'German', 'code'].includes(name)) continue;
      expect(countedPromptBound(countOf(text), byBytes(text))).toBeLessThan(Buffer.byteLength(text) / 2);
    }
  });

  it('is an integer between the count and the bound by bytes', () => {
    const facts = fc
      .record({ tokenCount: fc.nat(1e7), wideBytes: fc.nat(1e7), more: fc.nat(1e7), allowance: fc.nat(2000) })
      .map(({ tokenCount, wideBytes, more, allowance }) => {
        const promptBytes = tokenCount + wideBytes + more;
        return { count: { tokenCount, wideBytes }, promptBytes, promptTokensMax: promptBytes + allowance };
      });
    fc.assert(
      fc.property(facts, ({ count, promptBytes, promptTokensMax }) => {
        const bound = countedPromptBound(count, { promptBytes, promptTokensMax });
        expect(Number.isSafeInteger(bound)).toBe(true);
        expect(bound).toBeGreaterThanOrEqual(count.tokenCount);
        expect(bound).toBeLessThanOrEqual(promptTokensMax);
      }),
    );
  });

  it('keeps the room that the bound by bytes leaves for the tokens that providers add for tools', () => {
    const facts = { promptBytes: 10_000, promptTokensMax: 11_024 };
    expect(countedPromptBound({ tokenCount: 100, wideBytes: 0 }, facts)).toBe(150 + 1024);
  });
});
