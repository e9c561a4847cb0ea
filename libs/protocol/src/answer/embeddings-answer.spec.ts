import fc from 'fast-check';
import { encodeUtf8 } from '../json/byte-text';
import { readPlainAnswer, renderPlainAnswer } from './plain-answer';

const USAGE = { prompt_tokens: 5, total_tokens: 5 };
const read = (json: string) => readPlainAnswer('embeddings', encodeUtf8(json));
const answered = (json: string): string =>
  Buffer.concat(
    renderPlainAnswer(read(json)!, { model: 'acme/embed', additions: { svc: { provider: 'acme' } } }),
  ).toString();

describe('an embeddings answer', () => {
  it('passes through byte for byte, with the caller’s name of the model and the additions', () => {
    const vector = '[ 0.10, -1e-05,2.50E+3 ]';
    const json = `{ "data":[{"embedding":${vector},"index":0}], "model":"embed-1","usage":{"prompt_tokens":5} }`;
    expect(answered(json)).toBe(
      `{ "data":[{"embedding":${vector},"index":0}], "model":"acme/embed","usage":{"prompt_tokens":5},"svc":{"provider":"acme"} }`,
    );
  });

  it('is charged for its prompt, and has no output', () => {
    const { usage } = read(JSON.stringify({ data: [], usage: USAGE }))!;
    expect(usage).toEqual({
      inputTokens: 5,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 0,
      reasoningTokens: 0,
    });
  });

  it.each([undefined, null, {}, { prompt_tokens: -1 }, { prompt_tokens: '5' }, { total_tokens: 5 }, 5])(
    'reports no usage with %j',
    (usage) => {
      expect(read(JSON.stringify({ data: [], usage }))).toMatchObject({ usage: null });
    },
  );

  it('is read the same whatever its vectors are, and where usage stands', () => {
    const vector = fc.oneof(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), fc.base64String());
    fc.assert(
      fc.property(fc.array(vector), fc.boolean(), (vectors, usageFirst) => {
        const data = vectors.map((embedding, index) => ({ index, embedding }));
        const body = usageFirst ? { usage: USAGE, model: 'm', data } : { data, model: 'm', usage: USAGE };
        const answer = read(JSON.stringify(body));
        expect(answer?.usage).toMatchObject({ inputTokens: 5 });
        expect(JSON.parse(answered(JSON.stringify(body)))).toEqual({
          ...(JSON.parse(JSON.stringify(body)) as object),
          model: 'acme/embed',
          svc: { provider: 'acme' },
        });
      }),
    );
  });

  it.each([
    '',
    'OK',
    'null',
    '[]',
    '{}',
    '["data":[]]',
    '{"data":{}}',
    '{"data":"[]"}',
    '{"error":{"message":"no"}}',
    '{"choices":[]}',
    '{"data":[{"embedding":[0.1,0.2',
    '{"data":[{"embedding":[0.1',
    '{"data":[]',
    '{"data":[]}}',
    '{"data":[]} {}',
  ])('is not %j', (json) => {
    expect(read(json)).toBeNull();
  });

  it('is not what is no UTF-8', () => {
    const bytes = Buffer.concat([encodeUtf8('{"data":["'), new Uint8Array([0xff]), encodeUtf8('"]}')]);
    expect(readPlainAnswer('embeddings', bytes)).toBeNull();
  });
});
