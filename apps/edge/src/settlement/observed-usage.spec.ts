import { observedUsage } from './observed-usage';

const nothing = { reported: null, promptTokens: 101, outputBytes: 0 };
const reported = {
  inputTokens: 7,
  cachedInputTokens: 3,
  cacheWriteTokens: 2,
  outputTokens: 5,
  reasoningTokens: 1,
};

describe('the usage of an answer that was cut', () => {
  it('is null without a report and without output', () => {
    expect(observedUsage(nothing)).toBeNull();
  });

  it('is a token for every four bytes when the provider reported nothing', () => {
    expect(observedUsage({ ...nothing, outputBytes: 41 })).toMatchObject({
      inputTokens: 101,
      outputTokens: 11,
    });
  });

  it('is the provider’s report, but no less output than was received', () => {
    expect(observedUsage({ ...nothing, reported })).toEqual(reported);
    expect(observedUsage({ ...nothing, reported, outputBytes: 41 })).toEqual({
      ...reported,
      outputTokens: 11,
    });
  });

  it('counts the prompt itself where the report has none', () => {
    const zeros = {
      inputTokens: 0,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 0,
      reasoningTokens: 0,
    };
    expect(observedUsage({ ...nothing, reported: zeros, outputBytes: 41 })).toMatchObject({
      inputTokens: 101,
      outputTokens: 11,
    });
    expect(observedUsage({ ...nothing, reported: zeros })).toEqual(zeros);
  });
});
