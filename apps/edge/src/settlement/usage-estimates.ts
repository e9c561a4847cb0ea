import { type Model } from '@svc/inference';
import { type Operation, type ParsedCall, type TokenUsage } from '@svc/protocol';
import { type PromptCounter } from '../counting/prompt-counter';
import { type OutputCount } from '../second-thread/output-job';
import { type SharedThread } from '../second-thread/shared-thread';
import { estimatedTokens } from './observed-usage';

/** The end of an answer waits at most this long for a count. */
const WAIT_MS = 1_000;

export interface EstimatedCall {
  readonly parsed: Pick<
    ParsedCall,
    'operation' | 'bodyBytes' | 'promptBytes' | 'maxOutputTokens' | 'choices'
  >;
  readonly organizationId: string;
  readonly model: Pick<Model, 'contextWindow' | 'maxOutputTokens'>;
}

/** What an answer has to count. */
export interface AnswerOutput {
  readonly byteCount: number;
  /** The part of `byteCount` that `copy` leaves out. */
  readonly omittedBytes: number;
  /** As `OutputJob` has it. */
  readonly operation: Operation | null;
  /** In memory of its own, which can be transferred. */
  copy(): Uint8Array;
}

/** Counts the usage of answers without a usage report, off the main thread (docs/reference/money.md#estimated-usage). */
export class UsageEstimates {
  constructor(
    private readonly prompts: PromptCounter,
    private readonly thread: SharedThread,
    private readonly waitMs = WAIT_MS,
  ) {}

  /**
   * Starts to count the prompt.
   * @returns what counts the output. It never rejects: what is not counted within a second is estimated by its bytes.
   */
  begin(call: EstimatedCall): (output: AnswerOutput) => Promise<TokenUsage> {
    const { organizationId, parsed, model } = call;
    const prompt = this.prompts.count(organizationId, parsed.bodyBytes, model.contextWindow).then(
      ({ tokenCount }) => tokenCount,
      () => null,
    );
    return async (output) => {
      const late = new AbortController();
      const lateTimer = setTimeout(() => {
        late.abort();
      }, this.waitMs);
      const inTime = <T>(count: Promise<T | null>) => Promise.race([count, whenAborted(late.signal)]);
      const counts = [inTime(prompt), inTime(this.countOutput(call, output, late.signal))] as const;
      const [promptTokens, counted] = await Promise.all(counts);
      clearTimeout(lateTimer);
      return usageOf(call, output, promptTokens, counted);
    };
  }

  private countOutput(
    { organizationId, parsed, model }: EstimatedCall,
    { byteCount, operation, copy }: AnswerOutput,
    late: AbortSignal,
  ): Promise<OutputCount | null> {
    const makeJob = () => {
      // Nobody waits for it any more.
      late.throwIfAborted();
      return { bytes: copy(), operation, tokensMax: outputLimit(parsed, model) };
    };
    return this.thread.run('output', organizationId, byteCount, makeJob).catch(() => null);
  }
}

function usageOf(
  { parsed, model }: EstimatedCall,
  { byteCount, omittedBytes }: AnswerOutput,
  promptTokens: number | null,
  counted: OutputCount | null,
): TokenUsage {
  // No more than the model takes and the caller allowed, however its own tokenizer counts.
  const outputTokens = Math.min(
    counted === null ? estimatedTokens(byteCount) : counted.outputTokens + estimatedTokens(omittedBytes),
    outputLimit(parsed, model),
  );
  return {
    inputTokens: Math.min(promptTokens ?? estimatedTokens(parsed.promptBytes), model.contextWindow),
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens,
    reasoningTokens: Math.min(counted?.reasoningTokens ?? 0, outputTokens),
  };
}

const outputLimit = (
  { maxOutputTokens, choices }: EstimatedCall['parsed'],
  model: EstimatedCall['model'],
): number => Math.min(maxOutputTokens ?? Infinity, model.maxOutputTokens) * choices;

const whenAborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve(null);
    });
  });
