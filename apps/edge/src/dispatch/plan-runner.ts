import {
  classifyFailure,
  errorOfExhaustedPlan,
  outputLimitCoveredBy,
  type HoldFacts,
  type ModelEndpoint,
  type RoutePlan,
  type UpstreamFailure,
} from '@svc/inference';
import { type Clock, GatewayError, type Nanos } from '@svc/kernel';
import { upstreamBody, type ParsedCall } from '@svc/protocol';
import { UpstreamTimeout } from '../providers/idle-watch';
import { type UpstreamClient } from '../providers/upstream-client';
import { type Circuits } from './circuits';
import { type Exchange, type ProviderAttempt } from './exchange';
import { beginStream, readPlain, readRefusal, type Reading } from './read-answer';

export interface PlannedCall {
  readonly call: ParsedCall;
  readonly plan: RoutePlan;
  readonly held: Nanos;
  readonly holdFacts: HoldFacts;
  /** Aborted when the caller leaves. */
  readonly left: AbortSignal;
}

/** Walks a plan, one endpoint after the other, until one answers (contract.md section 5, last two points). */
export class PlanRunner {
  constructor(
    private readonly upstream: UpstreamClient,
    private readonly circuits: Circuits,
    private readonly clock: Clock,
  ) {}

  async run(planned: PlannedCall): Promise<Exchange> {
    const attempts: ProviderAttempt[] = [];
    const errors: GatewayError[] = [];
    for (const target of planned.plan.attempts) {
      if (!this.circuits.pass(target.id)) continue;
      const startedAt = this.clock.now();
      const reading = await this.tryTarget(target, planned);
      const attempt = {
        provider: target.provider.name,
        region: target.region,
        duration_ms: this.clock.now() - startedAt,
      };
      if (reading.kind !== 'failure') {
        this.circuits.succeeded(target.id);
        attempts.push({ ...attempt, status: 200 });
        return { ...reading, attempts, servedBy: target };
      }
      if (planned.left.aborted) {
        attempts.push({ ...attempt, status: null, error: 'client_left' });
        return { kind: 'failed', attempts, error: null, servedBy: target };
      }
      const { next, error, countsForCircuit } = classifyFailure(reading.failure);
      if (countsForCircuit) this.circuits.failed(target.id);
      attempts.push({ ...attempt, status: statusOf(reading.failure), error: error.code });
      if (!next) return { kind: 'failed', attempts, error, servedBy: null };
      errors.push(error);
    }
    const [first, ...others] = errors;
    const error = first ? errorOfExhaustedPlan([first, ...others]) : allCircuitsOpen();
    return { kind: 'failed', attempts, error, servedBy: null };
  }

  private async tryTarget(target: ModelEndpoint, planned: PlannedCall): Promise<Reading> {
    const { call, held, holdFacts, left } = planned;
    const maxOutputTokens = outputLimitCoveredBy(held, holdFacts);
    const body = upstreamBody(call, { upstreamModel: target.upstreamModel, maxOutputTokens });
    try {
      const answer = await this.upstream.call(target, body, left);
      if (answer.status !== 200) return await readRefusal(answer, this.clock.now());
      return await (call.stream ? beginStream(call, answer) : readPlain(call, answer));
    } catch (cause) {
      const failure: UpstreamFailure =
        cause instanceof UpstreamTimeout ? { kind: `${cause.phase}_timeout` } : { kind: 'connection', cause };
      return { kind: 'failure', failure };
    }
  }
}

const statusOf = (failure: UpstreamFailure): number | null =>
  failure.kind === 'status' ? failure.status : null;

/** The circuits of the plan opened, or gave their one try to another call, after the plan was made. */
const allCircuitsOpen = (): GatewayError =>
  new GatewayError('overloaded', 'Every provider of this model is failing right now. Please retry.');
