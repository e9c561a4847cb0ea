import { type JobThread } from '../second-thread/second-thread';
import { SharedThread } from '../second-thread/shared-thread';
import { type ThreadJobs } from '../second-thread/thread-job';
import { UsageEstimates, type EstimatedCall } from './usage-estimates';

const call = (fields: Partial<EstimatedCall['parsed']> = {}): EstimatedCall => ({
  organizationId: 'org_1',
  model: { contextWindow: 1_000, maxOutputTokens: 500 },
  parsed: {
    operation: 'chat_completions',
    bodyBytes: new Uint8Array(401),
    promptBytes: 401,
    promptTokensMax: 401,
    prompts: 1,
    maxOutputTokens: null,
    choices: 1,
    ...fields,
  },
});
const output = (byteCount = 41, omittedBytes = 0) => ({
  byteCount,
  omittedBytes,
  operation: null,
  copy: () => new Uint8Array(byteCount),
});

type Answers = { [K in 'count' | 'output']: ThreadJobs[K]['result'] | null };

/** A second thread that answers as scripted; null: never. */
class ScriptedThread implements JobThread {
  readonly begun: string[] = [];
  constructor(private readonly answers: Answers) {}

  run: JobThread['run'] = (kind) => {
    this.begun.push(kind);
    const answer = this.answers[kind as 'count' | 'output'];
    return answer === null ? new Promise(() => undefined) : (Promise.resolve(answer) as Promise<never>);
  };
  close = () => Promise.resolve();
}

const PROMPT = { tokenCount: 90, wideBytes: 0 };
const OUTPUT = { outputTokens: 12, reasoningTokens: 3 };

function estimatesOver(answers: Partial<Answers> = {}, waitMs = 30) {
  const thread = new ScriptedThread({ count: PROMPT, output: OUTPUT, ...answers });
  const shared = new SharedThread(thread);
  return { thread, estimates: new UsageEstimates(shared, waitMs) };
}

describe('an estimated usage', () => {
  it('is what the second thread counted', async () => {
    const { estimates } = estimatesOver();
    expect(await estimates.begin(call())(output())).toEqual({
      inputTokens: 90,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 12,
      reasoningTokens: 3,
    });
  });

  it('has a token for every four bytes of text that was not kept', async () => {
    const { estimates } = estimatesOver();
    expect(await estimates.begin(call())(output(141, 41))).toMatchObject({ outputTokens: 12 + 11 });
  });

  it.each<[string, Partial<Answers>, object]>([
    ['the prompt', { count: null }, { inputTokens: 101, outputTokens: 12 }],
    ['the output', { output: null }, { inputTokens: 90, outputTokens: 11, reasoningTokens: 0 }],
    ['either', { count: null, output: null }, { inputTokens: 101, outputTokens: 11 }],
  ])('is taken from the bytes of %s that was not counted in time', async (_, answers, usage) => {
    const { estimates } = estimatesOver(answers);
    expect(await estimates.begin(call())(output())).toMatchObject(usage);
  });

  it('is taken from the bytes when the thread dies', async () => {
    const dead: JobThread = {
      run: () => Promise.reject(new Error('The thread died.')),
      close: () => Promise.resolve(),
    };
    const estimates = new UsageEstimates(new SharedThread(dead));
    expect(await estimates.begin(call())(output())).toMatchObject({ inputTokens: 101, outputTokens: 11 });
  });

  it('is counted for any number of calls at once', async () => {
    const { estimates } = estimatesOver({}, 5_000);
    const all = Array.from({ length: 200 }, () => estimates.begin(call())(output()));
    for (const usage of await Promise.all(all))
      expect(usage).toMatchObject({ inputTokens: 90, outputTokens: 12 });
  });

  it('never exceeds what the model takes and the caller allowed', async () => {
    const many = {
      count: { tokenCount: 9_999, wideBytes: 0 },
      output: { outputTokens: 9_999, reasoningTokens: 9_998 },
    };
    const { estimates } = estimatesOver(many);
    expect(await estimates.begin(call())(output())).toMatchObject({
      inputTokens: 1_000,
      outputTokens: 500,
      reasoningTokens: 500,
    });
    const limited = call({ maxOutputTokens: 50, choices: 3 });
    expect(await estimates.begin(limited)(output())).toMatchObject({ outputTokens: 150 });
  });

  it('begins no count for which nobody waits any more', async () => {
    const { estimates, thread } = estimatesOver({ output: null });
    const waiting = estimates.begin(call());
    await Promise.all([waiting(output()), waiting(output())]);
    expect(thread.begun).toEqual(['count', 'output']);
  });
});
