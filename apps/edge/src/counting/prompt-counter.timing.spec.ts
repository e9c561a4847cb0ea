import { SharedThread } from '../second-thread/shared-thread';
import { BuiltThread } from '../testing/built-thread';
import { PromptCounter } from './prompt-counter';

let thread: BuiltThread;
let counter: PromptCounter;
beforeEach(() => {
  thread = new BuiltThread();
  counter = new PromptCounter(new SharedThread(thread));
});
afterEach(() => thread.close());

const count = async (content: string) => {
  const bodyBytes = Buffer.from(
    JSON.stringify({ model: 'acme/small', messages: [{ role: 'user', content }] }),
  );
  const startedAt = performance.now();
  const { tokenCount } = await counter.count('org_1', { operation: 'messages', bodyBytes }, 1_000_000);
  return { tokenCount, durationMs: performance.now() - startedAt };
};

describe('the second thread', () => {
  it('counts 100 kB of one letter in a fraction of the 13 s that it takes in one piece', async () => {
    await count('Hello');
    const { tokenCount, durationMs } = await count('a'.repeat(100_000));
    // It takes a few milliseconds, so a slow machine is far from a tenth of the 13 s too.
    expect(durationMs).toBeLessThan(1_300);
    expect(tokenCount).toBeGreaterThan(12_000);
    expect(tokenCount).toBeLessThan(13_500);
  });
});
