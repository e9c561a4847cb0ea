import { corpus } from '@svc/catalog/testing';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { estimateTokens } from './estimate-tokens';

const facts = {
  promptBytes: 401,
  promptTokensMax: null,
  promptWindow: 1000,
  outputTokensAsked: null,
  modelMaxOutputTokens: 8192,
  choices: 1,
};

describe('estimateTokens', () => {
  it.each([
    ['a quarter of the bytes, rounded up, and 4096 without a limit', {}, 101 + 4096],
    ['what the model can produce where that is less', { modelMaxOutputTokens: 100 }, 101 + 100],
    ['the limit that was asked for', { outputTokensAsked: 50_000 }, 101 + 50_000],
    ['the output once for each choice', { outputTokensAsked: 10, choices: 3 }, 101 + 30],
    ['no more prompt than the context window takes', { promptBytes: 1_000_000 }, 1000 + 4096],
    [
      '4096 and the whole prompt for an unknown model',
      { promptWindow: null, modelMaxOutputTokens: null },
      4197,
    ],
  ])('counts %s', (_, changes, expected) => {
    expect(estimateTokens({ ...facts, ...changes })).toBe(expected);
  });
});

/** Tokens that OpenAI's format adds to a message's text. */
const AROUND_A_MESSAGE = 7;

describe('the estimate of a prompt, compared with a real tokenizer', () => {
  it.each([
    ['English', 0.8, 1.4],
    ['German', 0.8, 1.4],
    ['Chinese', 0.8, 1.4],
    ['code', 0.8, 1.4],
    ['JSON', 0.8, 1.4],
    // This tokenizer needs fewer tokens for these scripts than others, which come closer to the estimate.
    ['Russian', 0.8, 2],
    ['Korean', 0.8, 2],
    ['Hindi', 0.8, 2],
    ['Thai', 0.8, 2],
    // Encoded data has short tokens. Detecting it would need a scan of every byte of every call.
    ['emoji', 0.33, 1],
    ['hexadecimal', 0.33, 1],
    ['base64', 0.33, 1],
  ])('of %s is between %f and %f of the count', (wanted, least, most) => {
    const { text } = corpus.find(({ name }) => name === wanted)!;
    const body = JSON.stringify({ model: 'acme/small', messages: [{ role: 'user', content: text }] });
    const estimate = estimateTokens({ ...facts, promptBytes: Buffer.byteLength(body), promptWindow: null });
    const ratio = (estimate - 4096) / (countTokens(text) + AROUND_A_MESSAGE);
    expect(ratio).toBeGreaterThanOrEqual(least);
    expect(ratio).toBeLessThanOrEqual(most);
  });
});
