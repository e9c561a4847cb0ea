import { callInProgress, warningsOf, type Model } from '@svc/inference';
import { errorEnvelope, GatewayError, type Nanos } from '@svc/kernel';
import {
  renderPlainAnswer,
  streamErrorFrame,
  type ParsedCall,
  type StreamRecorder,
  type TokenUsage,
} from '@svc/protocol';
import {
  type Exchange,
  type FailedExchange,
  type PlainExchange,
  type StreamExchange,
} from '../dispatch/exchange';
import { type AnswerClaim } from '../idempotency/answer-claim';
import { elapsedMs, type InferenceCall } from '../call/inference-call';
import { observedUsage } from '../settlement/observed-usage';
import { type CallOutcome, type Settlement, type SvcObject } from '../settlement/settle-call';
import { pumpStream } from './pump-stream';

interface DispatchedCall {
  readonly call: InferenceCall;
  readonly parsed: ParsedCall;
  readonly organizationId: string;
  readonly model: Model;
  readonly held: Nanos;
  readonly claim: AnswerClaim;
}

type Ending = Omit<
  CallOutcome,
  'requestId' | 'organizationId' | 'model' | 'held' | 'durationMs' | 'attempts' | 'servedBy'
>;

/**
 * Delivers an exchange to the caller and settles it. Settlement comes first: the end of an answer, with its cost, is
 * sent only once its charge is committed, so that a crash neither loses nor repeats a charge. The answer for an
 * idempotent retry is stored before the settlement (docs/decisions/0006).
 */
export class Delivery {
  constructor(private readonly settlement: Settlement) {}

  /** @throws GatewayError when no endpoint answered, or the answer must not be sent. */
  deliver(exchange: Exchange, dispatched: DispatchedCall): Promise<void> {
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
    const { call, parsed, claim } = dispatched;
    const outcome = this.outcomeOf(exchange, dispatched, {
      status: 'succeeded',
      httpStatus: 200,
      errorCode: null,
      usage: answer.usage ?? this.observed(dispatched, null, answer.bytes.byteLength),
      usageIsFinal: answer.usage !== null,
      ttftMs: Math.round(elapsedMs(call)),
    });
    const warnings = [...exchange.warnings, ...warningsOf(answer.losses)];
    const svc = this.settlement.svcOf(outcome);
    const additions = { svc, warnings };
    const body = renderPlainAnswer(answer, { model: parsed.model, additions });
    if (!(await claim.keep(body))) return this.fail(lostClaim(exchange), dispatched);
    await this.settle(outcome, svc, call);
    call.reply.sendJson(body);
  }

  private async deliverStream(exchange: StreamExchange, dispatched: DispatchedCall): Promise<void> {
    const { call, claim } = dispatched;
    const { reply } = call;
    const { relay } = exchange;
    const ttftMs = Math.round(elapsedMs(call));
    reply.openStream();
    const recorder = claim.recordStream(call.operation);
    const interruption = await pumpStream(exchange, reply, recorder);
    if (relay.state === 'complete') return this.completeStream(exchange, dispatched, { ttftMs, recorder });
    const brokenOff = new GatewayError('providerError', 'The provider’s stream broke off.');
    const error = reply.disconnected.aborted ? null : (interruption ?? brokenOff);
    await this.abortStream(exchange, dispatched, { ttftMs, error });
  }

  private async completeStream(
    exchange: StreamExchange,
    dispatched: DispatchedCall,
    { ttftMs, recorder }: { readonly ttftMs: number; readonly recorder: StreamRecorder | null },
  ): Promise<void> {
    const { relay } = exchange;
    const { call, claim } = dispatched;
    const outcome = this.outcomeOf(exchange, dispatched, {
      status: 'succeeded',
      httpStatus: 200,
      errorCode: null,
      usage: relay.usage ?? this.observed(dispatched, null, relay.outputBytes),
      usageIsFinal: relay.usage !== null,
      ttftMs,
    });
    const warnings = [...exchange.warnings, ...warningsOf(relay.losses)];
    const svc = this.settlement.svcOf(outcome);
    const additions = { svc, warnings };
    const lastFrames = relay.finish(additions);
    recorder?.push(lastFrames);
    const recorded = recorder?.end() ?? null;
    if (recorded !== null && !(await claim.keep([recorded]))) {
      return this.abortStream(lostClaim(exchange), dispatched, { ttftMs, error: callInProgress() });
    }
    await this.settle(outcome, svc, call);
    // A stream that was too long to be recorded: its key is free before its end is sent, so that a retry runs at once.
    if (recorder !== null && recorded === null) await claim.release();
    await call.reply.write(lastFrames);
    call.reply.end();
  }

  /** `error` is null when the caller disconnected. */
  private async abortStream(
    exchange: Exchange,
    dispatched: DispatchedCall,
    { ttftMs, error }: { readonly ttftMs: number; readonly error: GatewayError | null },
  ): Promise<void> {
    const { call, claim } = dispatched;
    const relay = exchange.kind === 'stream' ? exchange.relay : null;
    const outcome = this.outcomeOf(exchange, dispatched, {
      status: error === null ? 'cancelled' : 'failed',
      httpStatus: 200,
      errorCode: error?.code ?? null,
      usage: relay === null ? null : this.observed(dispatched, relay.usage, relay.outputBytes),
      usageIsFinal: false,
      ttftMs,
    });
    await this.settle(outcome, this.settlement.svcOf(outcome), call);
    await claim.release();
    if (error !== null) {
      await call.reply.write([streamErrorFrame(call.operation, errorEnvelope(error, call.requestId))]);
    }
    call.reply.end();
  }

  private async fail(exchange: FailedExchange, dispatched: DispatchedCall): Promise<void> {
    const { error } = exchange;
    const outcome = this.outcomeOf(exchange, dispatched, {
      status: error === null ? 'cancelled' : 'failed',
      httpStatus: error?.definition.status ?? null,
      errorCode: error?.code ?? null,
      usage: null,
      usageIsFinal: false,
      ttftMs: null,
    });
    await this.settle(outcome, this.settlement.svcOf(outcome), dispatched.call);
    if (error !== null) throw error;
  }

  private outcomeOf(
    { attempts, servedBy }: Exchange,
    { call, organizationId, model, held }: DispatchedCall,
    ending: Ending,
  ): CallOutcome {
    const { requestId } = call;
    const durationMs = Math.round(elapsedMs(call));
    return { requestId, organizationId, model: model.id, held, attempts, servedBy, durationMs, ...ending };
  }

  private async settle(outcome: CallOutcome, svc: SvcObject, call: InferenceCall): Promise<void> {
    const { attempts, status, usage, ttftMs } = outcome;
    const isBooked = await this.settlement.settle(outcome);
    if (!isBooked && status === 'succeeded') throw abandonedCall();
    const { facts } = call;
    facts.provider = svc.provider;
    facts.attempts = attempts.length;
    facts.outcome = status;
    facts.input_tokens = promptTokens(usage);
    facts.output_tokens = usage?.outputTokens;
    facts.customer_nanos = svc.cost.customer_nanos;
    facts.ttft_ms = ttftMs;
  }

  private observed(
    { parsed, model }: DispatchedCall,
    reported: TokenUsage | null,
    outputBytes: number,
  ): TokenUsage | null {
    const { promptBytes } = parsed;
    return observedUsage({ reported, promptBytes, contextWindow: model.contextWindow, outputBytes });
  }
}

/** This process's lease lapsed, and the worker closed the call without a charge: its answer is not sent. */
const abandonedCall = (): GatewayError =>
  new GatewayError(
    'overloaded',
    'The books could not be reached in time. Nothing was charged. Please retry.',
  );

/** This process's lease lapsed, and another call took the key. That call is charged, so this one is not. */
const lostClaim = ({ attempts }: Exchange): FailedExchange => ({
  kind: 'failed',
  attempts,
  error: callInProgress(),
  servedBy: null,
});

const promptTokens = (usage: TokenUsage | null): number | undefined =>
  usage === null ? undefined : usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens;
