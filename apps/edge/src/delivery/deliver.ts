import { GatewayError } from '@svc/kernel';
import { callInProgress } from '@svc/ledger';
import { type CallWarning, warningsOf } from '@svc/policy';
import { promptTokensOf, renderPlainAnswer, type StreamRecorder, usageReport } from '@svc/protocol';
import {
  type Exchange,
  type FailedExchange,
  type PlainExchange,
  type StreamExchange,
} from '../dispatch/exchange';
import { type CallMinuteRecorder } from '../call-minutes/call-minute-recorder';
import { type RolloutMinuteRecorder } from '../call-minutes/rollout-minute-recorder';
import { type FinishedCallReporter } from '../finished-calls/finished-call-reporter';
import { elapsedMs, type InferenceCall } from '../call/inference-call';
import { type ReservedCall } from '../context/call-context';
import {
  type CallEnding,
  type CallOutcome,
  costOfCall,
  type Settlement,
  type SvcObject,
} from '../settlement/settle-call';
import { type AnswerUsage, type AnswerUsages, type StreamUsage } from './answer-usage';
import { pumpStream } from './pump-stream';

interface StreamedAnswer {
  readonly ttftMs: number;
  readonly recorder: StreamRecorder | null;
  readonly streamUsage: StreamUsage;
}

interface AbortedAnswer {
  readonly ttftMs: number;
  /** Null when the caller disconnected. */
  readonly error: GatewayError | null;
  readonly usage: AnswerUsage;
  readonly warnings: readonly CallWarning[];
}

/** Who is told of each call that has ended. */
interface CallReports {
  readonly minutes: Pick<CallMinuteRecorder, 'note'>;
  readonly rolloutMinutes: Pick<RolloutMinuteRecorder, 'note'>;
  readonly finishedCalls: Pick<FinishedCallReporter, 'note'>;
}

const NO_USAGE: AnswerUsage = { usage: null, usageSource: 'observed' };

/**
 * Delivers an exchange to the caller and settles it. Settlement comes first: the end of an answer, with its cost, is
 * sent only once its charge is committed, so that a crash neither loses nor repeats a charge. The answer for an
 * idempotent retry is stored before the settlement (docs/decisions/0006).
 */
export class Delivery {
  constructor(
    private readonly settlement: Settlement,
    private readonly usages: AnswerUsages,
    private readonly reports: CallReports,
  ) {}

  /** @throws GatewayError when no endpoint answered, or the answer must not be sent. */
  deliver(exchange: Exchange, reserved: ReservedCall): Promise<void> {
    switch (exchange.kind) {
      case 'plain':
        return this.deliverPlain(exchange, reserved);
      case 'stream':
        return this.deliverStream(exchange, reserved);
      case 'failed':
        return this.fail(exchange, reserved);
    }
  }

  private async deliverPlain(exchange: PlainExchange, reserved: ReservedCall): Promise<void> {
    const { answer } = exchange;
    const { call, parsed, claim } = reserved;
    const warnings = [...exchange.warnings, ...warningsOf(answer.losses)];
    const outcome = this.outcomeOf(exchange, reserved, {
      status: 'succeeded',
      httpStatus: 200,
      error: null,
      ...(await this.usages.ofPlain(exchange, reserved)),
      ttftMs: Math.round(elapsedMs(call)),
      warnings,
    });
    const svc = this.settlement.svcOf(outcome);
    const additions = { svc, warnings, usage: countedUsage(outcome, call) };
    const body = renderPlainAnswer(answer, { model: parsed.model, additions });
    if (!(await claim.keep(body))) return this.fail(lostClaim(exchange), reserved);
    await this.settle(outcome, svc, call);
    call.reply.sendJson(body);
  }

  private async deliverStream(exchange: StreamExchange, reserved: ReservedCall): Promise<void> {
    const { call, claim } = reserved;
    const { reply } = call;
    const { relay } = exchange;
    const ttftMs = Math.round(elapsedMs(call));
    reply.openStream(relay);
    const recorder = claim.recordStream(call.operation);
    const streamUsage = this.usages.ofStream(relay, reserved);
    const interruption = await pumpStream(exchange, reply, recorder);
    const streamed = { ttftMs, recorder, streamUsage };
    if (relay.state === 'complete') return this.completeStream(exchange, reserved, streamed);
    const brokenOff = new GatewayError('providerError', 'The provider’s stream broke off.');
    const error = reply.disconnected.aborted ? null : (interruption ?? brokenOff);
    const usage = await streamUsage.soFar();
    const warnings = streamWarnings(exchange);
    await this.abortStream(exchange, reserved, { ttftMs, error, usage, warnings });
  }

  private async completeStream(
    exchange: StreamExchange,
    reserved: ReservedCall,
    { ttftMs, recorder, streamUsage }: StreamedAnswer,
  ): Promise<void> {
    const { relay } = exchange;
    const { call, claim } = reserved;
    const warnings = streamWarnings(exchange);
    const outcome = this.outcomeOf(exchange, reserved, {
      status: 'succeeded',
      httpStatus: 200,
      error: null,
      ...(await streamUsage.whole()),
      ttftMs,
      warnings,
    });
    const svc = this.settlement.svcOf(outcome);
    const additions = { svc, warnings, usage: countedUsage(outcome, call) };
    const lastFrames = relay.finish(additions);
    recorder?.push(lastFrames);
    const recorded = recorder?.end() ?? null;
    if (recorded !== null && !(await claim.keep([recorded]))) {
      const lost = { ttftMs, error: callInProgress(), usage: NO_USAGE, warnings: [] };
      return this.abortStream(lostClaim(exchange), reserved, lost);
    }
    await this.settle(outcome, svc, call);
    // A stream that was too long to be recorded: its key is free before its end is sent, so that a retry runs at once.
    if (recorder !== null && recorded === null) await claim.release();
    await call.reply.write(lastFrames);
    call.reply.end();
  }

  private async abortStream(
    exchange: Exchange,
    reserved: ReservedCall,
    { ttftMs, error, usage, warnings }: AbortedAnswer,
  ): Promise<void> {
    const { call, claim } = reserved;
    const outcome = this.outcomeOf(exchange, reserved, {
      status: error === null ? 'cancelled' : 'failed',
      httpStatus: 200,
      error,
      ...usage,
      ttftMs,
      warnings,
    });
    await this.settle(outcome, this.settlement.svcOf(outcome), call);
    await claim.release();
    if (error === null) call.reply.end();
    else await call.reply.endWithError(error);
  }

  private async fail(exchange: FailedExchange, reserved: ReservedCall): Promise<void> {
    const { error } = exchange;
    const outcome = this.outcomeOf(exchange, reserved, {
      status: error === null ? 'cancelled' : 'failed',
      httpStatus: error?.definition.status ?? null,
      error,
      ...NO_USAGE,
      ttftMs: null,
      warnings: [],
    });
    await this.settle(outcome, this.settlement.svcOf(outcome), reserved.call);
    if (error !== null) throw error;
  }

  private outcomeOf(
    { attempts, servedBy }: Exchange,
    { call, organizationId, projectId, apiKeyId, model, rollouts, held, budgetHeld, terms }: ReservedCall,
    ending: CallEnding,
  ): CallOutcome {
    const { prices } = terms;
    const { usage, usageSource } = ending;
    return {
      requestId: call.requestId,
      organizationId,
      projectId,
      apiKeyId,
      model: model.id,
      rollouts,
      held,
      budgetHeld,
      prices,
      cost: costOfCall({ servedBy, usage, usageSource, held, budgetHeld, prices, attempts }),
      keepsMessages: terms.policy.retention !== 'none',
      attempts,
      servedBy,
      durationMs: Math.round(elapsedMs(call)),
      ...ending,
    };
  }

  private async settle(outcome: CallOutcome, svc: SvcObject, call: InferenceCall): Promise<void> {
    const { attempts, status, usage, ttftMs } = outcome;
    const isBooked = await this.settlement.settle(outcome);
    if (isBooked) this.tell(outcome, svc.cost, call);
    else this.tell({ ...outcome, status: 'failed', usage: null }, NOTHING_PAID, call);
    if (!isBooked && status === 'succeeded') throw abandonedCall();
    const { facts } = call;
    facts.provider = svc.provider;
    facts.attempts = attempts.length;
    facts.outcome = status;
    facts.input_tokens = usage === null ? undefined : promptTokensOf(usage);
    facts.output_tokens = usage?.outputTokens;
    facts.customer_nanos = svc.cost.customer_nanos;
    facts.ttft_ms = ttftMs;
  }

  private tell(outcome: CallOutcome, paid: PaidNanos, call: InferenceCall): void {
    const charges = { customerNanos: paid.customer_nanos, providerNanos: paid.provider_nanos ?? 0 };
    this.reports.minutes.note(outcome, charges.customerNanos, charges.providerNanos);
    this.reports.rolloutMinutes.note(outcome.rollouts.arms, outcome, charges);
    this.reports.finishedCalls.note(outcome, charges, call);
  }
}

type PaidNanos = Pick<SvcObject['cost'], 'customer_nanos' | 'provider_nanos'>;
const NOTHING_PAID: PaidNanos = { customer_nanos: 0 };

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

const streamWarnings = ({ warnings, relay }: StreamExchange): readonly CallWarning[] => [
  ...warnings,
  ...warningsOf(relay.losses),
];

/** For the caller, in place of the report that the provider did not make. */
const countedUsage = ({ usage, usageSource }: CallOutcome, { operation }: InferenceCall): unknown =>
  usage !== null && usageSource === 'estimated' ? usageReport(operation, usage) : undefined;
