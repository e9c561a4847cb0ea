import fc from 'fast-check';
import { usageOfChatCompletion } from './chat-completion-usage';
import { laterMessageUsage, usageOfMessage } from './message-usage';
import { usageOfResponse } from './response-usage';

describe('usage of a chat completion', () => {
  it('subtracts cache reads and writes from the prompt tokens', () => {
    const usage = {
      prompt_tokens: 1000,
      completion_tokens: 50,
      total_tokens: 1050,
      prompt_tokens_details: { cached_tokens: 600, cache_write_tokens: 300, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 20 },
    };
    expect(usageOfChatCompletion(usage)).toEqual({
      inputTokens: 100,
      cachedInputTokens: 600,
      cacheWriteTokens: 300,
      outputTokens: 50,
      reasoningTokens: 20,
    });
  });

  it('counts no prompt token twice, whatever the details claim', () => {
    const count = fc.nat(1000);
    fc.assert(
      fc.property(count, count, count, count, count, (prompt, cached, written, output, reasoning) => {
        const usage = usageOfChatCompletion({
          prompt_tokens: prompt,
          completion_tokens: output,
          prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
          completion_tokens_details: { reasoning_tokens: reasoning },
        })!;
        expect(usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens).toBe(prompt);
        expect(Math.min(...Object.values(usage))).toBeGreaterThanOrEqual(0);
        expect(usage.reasoningTokens).toBeLessThanOrEqual(usage.outputTokens);
      }),
    );
  });

  it('treats missing or null details as 0', () => {
    expect(
      usageOfChatCompletion({ prompt_tokens: 3, completion_tokens: 0, prompt_tokens_details: null }),
    ).toEqual({
      inputTokens: 3,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 0,
      reasoningTokens: 0,
    });
  });
});

describe('usage of a response', () => {
  it('subtracts cache reads and writes from the input tokens', () => {
    const usage = {
      input_tokens: 1000,
      input_tokens_details: { cached_tokens: 600, cache_write_tokens: 300 },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 20 },
      total_tokens: 1050,
    };
    expect(usageOfResponse(usage)).toEqual({
      inputTokens: 100,
      cachedInputTokens: 600,
      cacheWriteTokens: 300,
      outputTokens: 50,
      reasoningTokens: 20,
    });
  });

  it.each([
    ['no report', null],
    ['the names of a chat completion', { prompt_tokens: 1, completion_tokens: 1 }],
    ['a negative counter', { input_tokens: -1, output_tokens: 1 }],
    [
      'a wrong detail',
      { input_tokens: 1, output_tokens: 1, output_tokens_details: { reasoning_tokens: '1' } },
    ],
  ])('is null for %s', (_, usage) => {
    expect(usageOfResponse(usage)).toBeNull();
  });
});

describe('usage of a message', () => {
  it('keeps input tokens, because they exclude the cache', () => {
    const usage = {
      input_tokens: 10,
      cache_read_input_tokens: 600,
      cache_creation_input_tokens: 300,
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 30 },
    };
    expect(usageOfMessage(usage)).toEqual({
      inputTokens: 10,
      cachedInputTokens: 600,
      cacheWriteTokens: 300,
      outputTokens: 50,
      reasoningTokens: 30,
    });
  });

  it('adds the requests that the provider made of its own, which its totals leave out', () => {
    const tokens = {
      input_tokens: 100,
      output_tokens: 7,
      cache_read_input_tokens: 3,
      cache_creation_input_tokens: 2,
    };
    const usage = (iterations: unknown) =>
      usageOfMessage({ input_tokens: 10, output_tokens: 50, iterations });
    const alone = usage(null);
    expect(usage([{ type: 'message', ...tokens }])).toEqual(alone);
    expect(
      usage([
        { type: 'compaction', ...tokens },
        { type: 'message', ...tokens },
        { type: 'advisor_message', ...tokens },
      ]),
    ).toEqual({
      inputTokens: 210,
      cachedInputTokens: 6,
      cacheWriteTokens: 4,
      outputTokens: 64,
      reasoningTokens: 0,
    });
    expect(usage([{ type: 'compaction', ...tokens, output_tokens: -1 }])).toBeNull();
  });

  it('replaces counters with later ones instead of adding, and keeps those absent from a later report', () => {
    const start = { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 };
    const first = laterMessageUsage(start, { output_tokens: 20, cache_read_input_tokens: null });
    const last = laterMessageUsage(first, { input_tokens: 12, output_tokens: 40 });
    expect(usageOfMessage(last)).toMatchObject({ inputTokens: 12, cachedInputTokens: 5, outputTokens: 40 });
    expect(laterMessageUsage(last, undefined)).toBe(last);
  });
});

it.each([undefined, null, 'x', [], {}, -1, 1.5, '5', Number.NaN, 2 ** 60])(
  'a report with %p in it is not usable',
  (broken) => {
    const chat = { prompt_tokens: 1, completion_tokens: 1 };
    expect(usageOfChatCompletion(broken)).toBeNull();
    expect(usageOfChatCompletion({ ...chat, prompt_tokens: broken })).toBeNull();
    expect(usageOfChatCompletion({ ...chat, completion_tokens: broken })).toBeNull();
    expect(usageOfMessage(broken)).toBeNull();
    expect(usageOfMessage({ input_tokens: broken, output_tokens: 1 })).toBeNull();
    expect(usageOfMessage({ input_tokens: 1, output_tokens: broken })).toBeNull();
    if (broken === undefined || broken === null) return;
    expect(usageOfChatCompletion({ ...chat, prompt_tokens_details: { cached_tokens: broken } })).toBeNull();
    expect(usageOfMessage({ input_tokens: 1, output_tokens: 1, cache_read_input_tokens: broken })).toBeNull();
  },
);
