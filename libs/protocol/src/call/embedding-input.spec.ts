import { GatewayError } from '@svc/kernel';
import { type EmbeddingCreateParams } from 'openai/resources/embeddings';
import fc from 'fast-check';
import { encodeUtf8 } from '../json/byte-text';
import { parseCall } from './parse-call';
import { promptText } from './prompt-text';
import { upstreamBody } from './upstream-body';

const parsed = (fields: object) =>
  parseCall('embeddings', encodeUtf8(JSON.stringify({ model: 'acme/embed', input: 'Hi', ...fields })));
const refusal = (fields: object) => {
  try {
    parsed(fields);
  } catch (thrown) {
    if (thrown instanceof GatewayError) return { reason: thrown.reason, param: thrown.param };
    throw thrown;
  }
  throw new Error('was not refused');
};

const text = fc.string({ unit: 'grapheme', minLength: 1 });
const tokens = fc.array(fc.nat(200_000), { minLength: 1 });

describe('the body of an embeddings call', () => {
  it('has all fields of OpenAI’s SDK', () => {
    const all: Required<EmbeddingCreateParams> = {
      model: 'acme/embed',
      input: 'Hi',
      dimensions: 256,
      encoding_format: 'base64',
      user: 'u-1',
    };
    const call = parsed(all);
    expect(call).toMatchObject({ stream: false, choices: 0, maxOutputTokens: null });
    expect(call.labels).toEqual({ user: 'u-1', metadata: {} });
  });

  it.each(['messages', 'stream', 'max_output_tokens', 'n', 'metadata', 'callback_url'])(
    'has no field %s',
    (param) => {
      expect(refusal({ [param]: 1 })).toEqual({ reason: 'unsupportedParameter', param });
    },
  );

  it.each([
    [{ model: null }, 'model'],
    [{ input: null }, 'input'],
    [{ input: '' }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: ['Hi', ''] }, 'input'],
    [{ input: [[]] }, 'input'],
    [{ input: ['Hi', [1]] }, 'input'],
    [{ input: ['Hi', 1] }, 'input'],
    [{ input: [1, 'Hi'] }, 'input'],
    [{ input: [-1] }, 'input'],
    [{ input: [1.5] }, 'input'],
    [{ input: [[[1]]] }, 'input'],
    [{ input: { text: 'Hi' } }, 'input'],
    [{ input: Array.from({ length: 2049 }, () => 'Hi') }, 'input'],
    [{ input: Array.from({ length: 2049 }, () => [1]) }, 'input'],
    [{ dimensions: 0 }, 'dimensions'],
    [{ encoding_format: 'int8' }, 'encoding_format'],
    [{ user: 1 }, 'user'],
    [{ compat_mode: 'lax' }, 'compat_mode'],
  ])('is refused with %j', (fields, param) => {
    expect(refusal(fields)).toEqual({ reason: 'invalidRequest', param });
  });

  it('may have 2048 inputs, and any number of tokens in one', () => {
    expect(parsed({ input: Array.from({ length: 2048 }, () => 'Hi') }).prompts).toBe(2048);
    expect(parsed({ input: Array.from({ length: 8192 }, () => 7) }).prompts).toBe(1);
  });

  it('reaches the provider byte for byte, with its name of the model and without the service’s field', () => {
    const body = '{ "input":["a\\u00e9", "b" ] ,"model":"acme/embed","compat_mode":"strict" }';
    const call = parseCall('embeddings', encodeUtf8(body));
    const sent = Buffer.concat(upstreamBody(call, { upstreamModel: 'embed-1', maxOutputTokens: null }));
    expect(sent.toString()).toBe('{ "input":["a\\u00e9", "b" ] ,"model":"embed-1" }');
  });
});

describe('the bound of an embeddings prompt', () => {
  it('is no less than the bytes of the texts, of which no tokenizer makes more tokens', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.array(text, { minLength: 1 })), (input) => {
        const bytes = Buffer.byteLength([input].flat().join(''));
        expect(parsed({ input }).promptTokensMax).toBeGreaterThanOrEqual(bytes);
      }),
    );
  });

  it('is the number of the tokens where the caller sends tokens', () => {
    fc.assert(
      fc.property(fc.oneof(tokens, fc.array(tokens, { minLength: 1 })), (input) => {
        const call = parsed({ input });
        expect(call.promptTokensMax).toBe(input.flat().length);
        expect(call.promptTokensMax).toBeLessThan(call.promptBytes);
      }),
    );
  });
});

describe('the text of an embeddings prompt', () => {
  it.each([
    ['Hi', { texts: ['Hi'], tokenCount: 0 }],
    [['Hi', 'there'], { texts: ['Hi', 'there'], tokenCount: 0 }],
    [[1, 2, 3], { texts: [], tokenCount: 3 }],
    [[[1, 2], [3]], { texts: [], tokenCount: 3 }],
  ])('of %j is what is counted', (input, counted) => {
    expect(promptText('embeddings', { input })).toEqual({ ...counted, messageCount: 0, mediaCount: 0 });
  });
});
