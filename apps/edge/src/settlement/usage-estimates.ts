import { estimatedPromptTokens, promptWindow, type Model } from '@svc/catalog';
import { type Operation, type ParsedCall, type TokenUsage } from '@svc/protocol';
import { bytesForJob } from '../second-thread/large-body';
import { type OutputCount } from '../second-thread/output-job';
import { type SharedThread } from '../second-thread/shared-thread';
import { type ThreadJobs } from '../second-thread/thread-job';
import { estimatedTokens } from './observed-usage';

/** The end of an answer waits at most this long for a count. */
const WAIT_MS = 1_000;

export interface EstimatedCall {
  readonly parsed: Pick<
    ParsedCall,
    'operation' | 'bodyBytes' | 'promptBytes' | 'promptTokensMax' | 'prompts' | 'maxOutputTokens' | 'choices'
  >;
  readonly organizationId: string;
  readonly model: Pick<Model, 'contextWindow' | 'maxOutputTokens'>;
}

/** The output of an answer that is counted. */
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
    private readonly thread: SharedThread,
    private readonly waitMs = WAIT_MS,
  ) {}

  /** Has the tokenizer loaded, which takes longer than an answer waits on a busy machine. */
  prepare(): void {
    const nothing = () => ({ bytes: new Uint8Array(Buffer.from('[]')), operation: null, tokensMax: 0 });
    this.thread.run('output', '', 0, nothing).catch(() => undefined);
  }

  /**
   * Starts to count the prompt.
   * @returns what counts the output. It never rejects: what is not counted within a second is estimated by its bytes.
   */
  begin(call: EstimatedCall): (output: AnswerOutput) => Promise<TokenUsage> {
    const { organizationId, parsed, model } = call;
    const { bodyBytes } = parsed;
    const late = new AbortController();
    const count: CountInTime = (kind, byteCount, makeJob) => {
      const unlessLate = () => {
        // Nobody waits for it any more.
        late.signal.throwIfAborted();
        return makeJob();
      };
      return this.thread.run(kind, organizationId, byteCount, unlessLate).catch(() => null);
    };
    const prompt = count('count', bodyBytes.byteLength, () => ({
      operation: parsed.operation,
      bytes: bytesForJob(bodyBytes),
      tokensMax: promptWindow(parsed, model),
    }));
    return async (output) => {
      const lateTimer = setTimeout(() => {
        late.abort();
      }, this.waitMs);
      const { byteCount, operation, copy } = output;
      const generated = count('output', byteCount, () => ({
        bytes: copy(),
        operation,
        tokensMax: outputLimit(parsed, model),
      }));
      const whenLate = whenAborted(late.signal);
      const [promptCount, outputCount] = await Promise.all([
        Promise.race([prompt, whenLate]),
        Promise.race([generated, whenLate]),
      ]);
      clearTimeout(lateTimer);
      return usageOf(call, output, promptCount?.tokenCount ?? null, outputCount);
    };
  }
}

type CountInTime = <K extends 'count' | 'output'>(
  kind: K,
  byteCount: number,
  makeJob: () => ThreadJobs[K]['job'],
) => Promise<ThreadJobs[K]['result'] | null>;

function usageOf(
  call: EstimatedCall,
  { byteCount, omittedBytes }: AnswerOutput,
  promptTokens: number | null,
  counted: OutputCount | null,
): TokenUsage {
  const { parsed, model } = call;
  // No more than the model takes and the caller allowed, however its own tokenizer counts.
  const outputTokens = Math.min(
    counted === null ? estimatedTokens(byteCount) : counted.outputTokens + estimatedTokens(omittedBytes),
    outputLimit(parsed, model),
  );
  return {
    inputTokens:
      promptTokens === null ? estimatedPrompt(call) : Math.min(promptTokens, promptWindow(parsed, model)),
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    outputTokens,
    reasoningTokens: Math.min(counted?.reasoningTokens ?? 0, outputTokens),
  };
}

/** A prompt that nobody counted. */
export const estimatedPrompt = ({ parsed, model }: EstimatedCall): number =>
  Math.min(estimatedPromptTokens(parsed), promptWindow(parsed, model));

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
