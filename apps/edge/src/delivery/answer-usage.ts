import { generatesText, plainUsage, type StreamRelay } from '@svc/protocol';
import { type PlainExchange } from '../dispatch/exchange';
import { transferable } from '../second-thread/large-body';
import { observedUsage } from '../settlement/observed-usage';
import { type CallOutcome } from '../settlement/settle-call';
import {
  estimatedPrompt,
  type AnswerOutput,
  type EstimatedCall,
  type UsageEstimates,
} from '../settlement/usage-estimates';

export type AnswerUsage = Pick<CallOutcome, 'usage' | 'usageSource'>;

/** The usage that an answer is charged for (docs/reference/money.md#cost-states). */
export class AnswerUsages {
  constructor(private readonly estimates: UsageEstimates) {}

  ofPlain({ answer, servedBy }: PlainExchange, call: EstimatedCall): AnswerUsage | Promise<AnswerUsage> {
    const { usage, reportedSoFar, outputBytes, bytes } = answer;
    if (usage !== null) return { usage, usageSource: 'reported' };
    const { operation } = call.parsed;
    const hasOutput = generatesText(operation);
    if (servedBy.usage === 'reported') {
      return hasOutput ? observed(call, outputBytes, reportedSoFar) : observedPrompt(call);
    }
    const copy = () => new Uint8Array(bytes);
    const output = { byteCount: bytes.byteLength, omittedBytes: 0, operation, copy };
    return this.estimates
      .begin(call)(hasOutput ? output : NO_OUTPUT)
      .then((counted) => ({ usage: counted, usageSource: 'estimated' }));
  }

  /** Call it when the stream begins: it starts to count the prompt if needed. */
  ofStream(relay: StreamRelay, call: EstimatedCall): StreamUsage {
    const isCounted = relay.keptOutput !== null && relay.usage === null;
    return new StreamUsage(relay, call, isCounted ? this.estimates.begin(call) : null);
  }
}

export class StreamUsage {
  constructor(
    private readonly relay: StreamRelay,
    private readonly call: EstimatedCall,
    private readonly count: ReturnType<UsageEstimates['begin']> | null,
  ) {}

  /** Of a stream that is complete. */
  whole(): AnswerUsage | Promise<AnswerUsage> {
    const { usage, reportedSoFar, outputBytes } = this.relay;
    if (usage !== null) return { usage, usageSource: 'reported' };
    return this.counted('estimated') ?? observed(this.call, outputBytes, reportedSoFar);
  }

  /** Of a stream that was cut. */
  soFar(): AnswerUsage | Promise<AnswerUsage> {
    const { usage, reportedSoFar, outputBytes } = this.relay;
    const count = usage === null && outputBytes > 0 ? this.counted('observed') : null;
    return count ?? observed(this.call, outputBytes, reportedSoFar);
  }

  private counted(usageSource: AnswerUsage['usageSource']): Promise<AnswerUsage> | null {
    const { keptOutput, outputBytes } = this.relay;
    if (this.count === null || keptOutput === null) return null;
    const output: AnswerOutput = {
      byteCount: outputBytes,
      omittedBytes: keptOutput.omittedBytes,
      operation: null,
      copy: () => transferable(keptOutput.toJson()),
    };
    return this.count(output).then((usage) => ({ usage, usageSource }));
  }
}

/** Vectors are not counted. */
const NO_OUTPUT: AnswerOutput = {
  byteCount: 0,
  omittedBytes: 0,
  operation: null,
  copy: () => new Uint8Array(Buffer.from('[]')),
};

function observed(
  call: EstimatedCall,
  outputBytes: number,
  reported: AnswerUsage['usage'] = null,
): AnswerUsage {
  const usage = observedUsage({ reported, promptTokens: estimatedPrompt(call), outputBytes });
  return { usage, usageSource: 'observed' };
}

/** Of a whole answer that has no output to count. */
const observedPrompt = (call: EstimatedCall): AnswerUsage => ({
  usage: plainUsage(estimatedPrompt(call)),
  usageSource: 'observed',
});
