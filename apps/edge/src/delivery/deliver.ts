import { type Model } from '@svc/inference';
import { type Clock, errorEnvelope, GatewayError, type Nanos } from '@svc/kernel';
import { renderPlainAnswer, streamErrorFrame, type ParsedCall, type TokenUsage } from '@svc/protocol';
import {
  type Exchange,
  type FailedExchange,
  type PlainExchange,
  type StreamExchange,
} from '../dispatch/exchange';
import { type InferenceCall } from '../pipeline/inference-call';
import { observedUsage } from '../settlement/observed-usage';
import { type CallOutcome, type Settlement, type SvcObject } from '../settlement/settle-call';
import { pumpStream } from './pump-stream';

export interface DispatchedCall {
  readonly call: InferenceCall;
  readonly parsed: ParsedCall;
  readonly requestId: string;
  readonly organizationId: string;
  readonly model: Model;
  readonly held: Nanos;
}

type Ending = Omit<
  CallOutcome,
  'requestId' | 'organizationId' | 'model' | 'held' | 'durationMs' | 'attempts' | 'servedBy'
>;

/**
 * Gives an exchange to the caller and to the books. The books come first: the end of an answer, with its cost, is
 * given out only once its charge is committed, so that a crash can neither lose a charge nor make one twice.
 */
export class Delivery {
  constructor(
    private readonly settlement: Settlement,
    private readonly clock: Clock,
  ) {}

  /** @throws GatewayError when there is no answer. */
  async deliver(exchange: Exchange, dispatched: DispatchedCall): Promise<void> {
    switch (exchange.kind) {
      case 'plain':
        return this.deliverPlain(exchange, dispatched);
      case 'stream':
        return this.deliverStream(exchange, dispatched);
      case 'failed':
        return this.fail(exchange, dispatched);
    }
  }

  private async deliverPlain(exchange: PlainExchange, dispatched: DispatchedCall): Promise<void> {
    const { answer } = exchange;
    const { call, parsed } = dispatched;
    const svc = await this.settle(exchange, dispatched, {
      status: 'succeeded',
      httpStatus: 200,
      errorCode: null,
      usage: answer.usage ?? this.observed(dispatched, null, answer.bytes.byteLength),
      usageIsFinal: answer.usage !== null,
      ttftMs: this.sinceReceived(call),
    });
    call.reply.sendJson(renderPlainAnswer(answer, { model: parsed.model, additions: { svc } }));
  }

  private async deliverStream(exchange: StreamExchange, dispatched: DispatchedCall): Promise<void> {
    const { call } = dispatched;
    const { reply } = call;
    const { relay } = exchange;
    const ttftMs = this.sinceReceived(call);
    reply.openStream();
    const interruption = await pumpStream(exchange, reply);
    const isWhole = relay.state === 'complete';
    const error =
      isWhole || reply.left.aborted
        ? null
        : (interruption ?? new GatewayError('providerError', 'The provider’s stream broke off.'));
    const reported = relay.usage;
    const svc = await this.settle(exchange, dispatched, {
      status: isWhole ? 'succeeded' : error === null ? 'cancelled' : 'failed',
      httpStatus: 200,
      errorCode: error?.code ?? null,
      usage: isWhole && reported !== null ? reported : this.observed(dispatched, reported, relay.outputBytes),
      usageIsFinal: isWhole && reported !== null,
      ttftMs,
    });
    if (error === null && isWhole) await reply.write(relay.finish({ svc }));
    if (error !== null)
      await reply.write([streamErrorFrame(call.operation, errorEnvelope(error, call.requestId))]);
    reply.end();
  }

  private async fail(exchange: FailedExchange, dispatched: DispatchedCall): Promise<void> {
    const { error } = exchange;
    await this.settle(exchange, dispatched, {
      status: error === null ? 'cancelled' : 'failed',
      httpStatus: error?.definition.status ?? null,
      errorCode: error?.code ?? null,
      usage: null,
      usageIsFinal: false,
      ttftMs: null,
    });
    if (error !== null) throw error;
  }

  private async settle(
    { attempts, servedBy }: Exchange,
    { call, requestId, organizationId, model, held }: DispatchedCall,
    ending: Ending,
  ): Promise<SvcObject> {
    const durationMs = this.sinceReceived(call);
    const outcome = {
      requestId,
      organizationId,
      model: model.id,
      held,
      attempts,
      servedBy,
      durationMs,
      ...ending,
    };
    const svc = await this.settlement.settle(outcome);
    Object.assign(call.facts, {
      provider: svc.provider,
      attempts: attempts.length,
      outcome: ending.status,
      input_tokens: promptTokens(ending.usage),
      output_tokens: ending.usage?.outputTokens,
      customer_nanos: svc.cost.customer_nanos,
      ttft_ms: ending.ttftMs,
    });
    return svc;
  }

  private observed(
    { parsed, model }: DispatchedCall,
    reported: TokenUsage | null,
    outputBytes: number,
  ): TokenUsage | null {
    const { promptBytes } = parsed;
    return observedUsage({ reported, promptBytes, contextWindow: model.contextWindow, outputBytes });
  }

  private sinceReceived(call: InferenceCall): number {
    return this.clock.now() - call.receivedAtMs;
  }
}

const promptTokens = (usage: TokenUsage | null): number | undefined =>
  usage === null ? undefined : usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens;
