import OpenAI from 'openai';
import { type EmbeddingCreateParams } from 'openai/resources/embeddings';
import { startSimulator, type Simulator } from '..';

describe('the official OpenAI client, asking for embeddings', () => {
  let simulator: Simulator;
  let openai: OpenAI;

  beforeAll(async () => {
    simulator = await startSimulator({ port: 0, host: '127.0.0.1' });
    openai = new OpenAI({ baseURL: `${simulator.url}/v1`, apiKey: 'any', maxRetries: 0 });
  });
  afterAll(() => simulator.close());

  const ask = async (input: EmbeddingCreateParams['input'], more: Partial<EmbeddingCreateParams> = {}) =>
    openai.embeddings.create({ model: 'text-embedding-3-small', input, ...more });

  it.each([
    ['a text', 'Hé, you!', 1, 3],
    ['texts, each counted for itself', ['a', 'b', 'four'], 3, 3],
    ['tokens, counted exactly', [1, 2, 3, 4, 5], 1, 5],
    ['lists of tokens', [[1, 2], [3]], 2, 3],
  ])('reads the vectors of %s', async (_what, input, count, tokens) => {
    const answer = await ask(input);
    expect(answer).toMatchObject({ object: 'list', model: 'text-embedding-3-small' });
    expect(answer.data.map(({ index, object }) => [index, object])).toEqual(
      Array.from({ length: count }, (_, index) => [index, 'embedding']),
    );
    expect(answer.data.map(({ embedding }) => embedding.length)).toEqual(Array(count).fill(1536));
    expect(answer.usage).toEqual({ prompt_tokens: tokens, total_tokens: tokens });
  });

  it('decodes the same numbers from base64, its default, and from floats', async () => {
    const decoded = await ask('cat', { dimensions: 7 });
    const floats = await ask('cat', { dimensions: 7, encoding_format: 'float' });
    const base64 = await ask('cat', { dimensions: 7, encoding_format: 'base64' });
    expect(decoded.data).toEqual(floats.data);
    expect(decoded.data[0]?.embedding).toHaveLength(7);
    expect(base64.data[0]?.embedding).toMatch(/^[A-Za-z0-9+/]{38}==$/);
  });

  it.each([
    ['no input', undefined, {}, 'input', 'missing_required_parameter'],
    ['an empty text', '', {}, 'input', null],
    ['an empty text among others', ['a', ''], {}, 'input', null],
    ['an empty list', [], {}, 'input', 'empty_array'],
    ['an empty list of tokens', [[1], []], {}, 'input', 'empty_array'],
    ['texts among tokens', ['a', [1]], {}, 'input', 'invalid_type'],
    ['half a token', [1.5], {}, 'input', 'invalid_type'],
    ['2,049 texts', Array(2049).fill('a'), {}, 'input', 'array_above_max_length'],
    ['8,193 tokens in one input', Array(8193).fill(1), {}, null, null],
    ['300,001 tokens', Array(40).fill('four'.repeat(7501)), {}, null, 'max_tokens_per_request'],
    ['more dimensions than the model has', 'a', { dimensions: 1537 }, 'dimensions', null],
    ['no dimensions', 'a', { dimensions: 0 }, 'dimensions', 'invalid_type'],
    ['an unknown encoding', 'a', { encoding_format: 'int8' }, 'encoding_format', 'invalid_value'],
  ])('is refused %s', async (_what, input, more, param, code) => {
    await expect(ask(input as string, more as object)).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      param,
      code,
    });
  });

  it('fails as a directive in the last text or in the header says', async () => {
    await expect(ask(['a', '@simulator {"status":429}'])).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(ask('@simulator {"cut_after":0}')).rejects.toThrow('terminated');
    const failing = openai.embeddings.create(
      { model: 'm', input: [1] },
      { headers: { 'x-simulator': '{"status":500}' } },
    );
    await expect(failing).rejects.toMatchObject({ status: 500 });
    const counted = await ask('@simulator {"usage":{"input_tokens":77}}');
    expect(counted.usage).toEqual({ prompt_tokens: 77, total_tokens: 77 });
    expect('usage' in (await ask('@simulator {"no_usage":true}'))).toBe(false);
  });

  it('is recorded in the journal', async () => {
    simulator.journal.clear();
    await ask('private');
    expect(simulator.journal.entries()).toMatchObject([
      { path: '/v1/embeddings', model: 'text-embedding-3-small', stream: false, status: 200 },
    ]);
  });
});
