import fc from 'fast-check';
import { type JsonRecord } from '../json/byte-text';
import { REASONING_FIELDS, reasoningDetailOf, thinkingBlockOf } from './reasoning';
import { encryptedContentOf, originalReasoning } from './reasoning-item';

const summaryOf = (text: string): JsonRecord[] => [{ type: 'summary_text', text }];
const itemOf = (encrypted: string | null, text: string): JsonRecord => ({
  type: 'reasoning',
  id: 'rs_1',
  summary: text === '' ? [] : summaryOf(text),
  encrypted_content: encrypted,
});

describe('reasoning as an item of the responses protocol', () => {
  it('returns to Anthropic as the signed block that it was', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), fc.nat(9), (signature, text, index) => {
        const block = { type: 'thinking', thinking: text, signature };
        const item = itemOf(encryptedContentOf(reasoningDetailOf(block, 0)!), text);
        const back = originalReasoning(item, index);
        expect(back).toMatchObject({ detail: { index } });
        expect(thinkingBlockOf((back as { detail: JsonRecord }).detail)).toEqual(block);
      }),
    );
  });

  it('returns a redacted block with its data', () => {
    const block = { type: 'redacted_thinking', data: 'abc=' };
    const back = originalReasoning(itemOf(encryptedContentOf(reasoningDetailOf(block, 0)!), ''), 0);
    expect(thinkingBlockOf((back as { detail: JsonRecord }).detail)).toEqual(block);
  });

  it.each(REASONING_FIELDS)('returns text of %s to the field that it came from', (field) => {
    const encrypted = encryptedContentOf(field);
    expect(originalReasoning(itemOf(encrypted, 'why'), 0)).toEqual({ field, text: 'why' });
    const content = [{ type: 'reasoning_text', text: 'because' }];
    expect(originalReasoning({ ...itemOf(encrypted, 'why'), content }, 0)).toEqual({
      field,
      text: 'because',
    });
  });

  it('is of a provider where the service left no mark', () => {
    for (const encrypted of [null, '', 'gAAAAABo', 'svc.field.other']) {
      expect(originalReasoning(itemOf(encrypted, 'why'), 0)).toBeNull();
    }
  });

  it('has no mark for an entry that Anthropic would not take back', () => {
    expect(encryptedContentOf({ type: 'reasoning.text', text: 'why', signature: null })).toBeNull();
    expect(encryptedContentOf({ type: 'reasoning.summary', format: 'openai-responses-v1' })).toBeNull();
  });
});
