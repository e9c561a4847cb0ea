import fc from 'fast-check';
import { usageOfChatCompletion } from './chat-completion-usage';
import { usageOfMessage } from './message-usage';
import { chatCompletionUsageReport, messageUsageReport } from './usage-report';

const usage = fc
  .record({
    inputTokens: fc.nat(),
    cachedInputTokens: fc.nat(),
    cacheWriteTokens: fc.nat(),
    outputTokens: fc.nat(),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ share, ...counts }) => ({ ...counts, reasoningTokens: Math.floor(counts.outputTokens * share) }));

describe('a usage report', () => {
  // litellm #9812, #11364, #40016; bifrost #3451: cached tokens charged twice between the two protocols.
  it('counts the same tokens in either protocol, each once', () => {
    fc.assert(
      fc.property(usage, (counts) => {
        expect(usageOfChatCompletion(chatCompletionUsageReport(counts))).toEqual(counts);
        expect(usageOfMessage(messageUsageReport(counts))).toEqual(counts);
      }),
    );
  });
});
