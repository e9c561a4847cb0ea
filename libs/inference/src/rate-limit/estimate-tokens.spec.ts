import { estimateTokens } from './estimate-tokens';

const facts = {
  promptBytes: 401,
  contextWindow: 1000,
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
      { contextWindow: null, modelMaxOutputTokens: null },
      4197,
    ],
  ])('counts %s', (_, changes, expected) => {
    expect(estimateTokens({ ...facts, ...changes })).toBe(expected);
  });
});
