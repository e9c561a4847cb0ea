import {
  classifyFailure,
  errorOfExhaustedPlan,
  outputLimitCoveredBy,
  type FailureVerdict,
  type HoldFacts,
  type ModelEndpoint,
  type PlannedAttempt,
  type RoutePlan,
  warningsOf,
  type UpstreamFailure,
} from '@svc/inference';
import { type Clock, GatewayError, type Nanos } from '@svc/kernel';
import { type ParsedCall } from '@svc/protocol';
import { type AuthFailures } from '../credentials/auth-failures';
import { redactionFor } from '../credentials/redaction';
import { type OrganizationTerms } from '../policy/organization-terms';
import { UpstreamTimeout } from '../providers/upstream-timeout';
import { type UpstreamClient } from '../providers/upstream-client';
import { type Circuits } from './circuits';
import { type DialectOf } from './dialect';
import { type MeasuredEndpoints } from './endpoint-figures';
import { measuredStream } from './measured-stream';
import { type Exchange, type ProviderAttempt } from './exchange';
import { beginStream, readPlain, readRefusal, type Answer, type Reading } from './read-answer';

export interface PlannedCall {
  readonly call: ParsedCall;
  readonly organizationId: string;
  /** What the plan was made on: the credentials of its attempts. */
  readonly terms: OrganizationTerms;
  readonly plan: RoutePlan;
  readonly held: Nanos;
  readonly holdFacts: HoldFacts;
  /** Aborted when the caller leaves. */
  readonly left: AbortSignal;
}

/** What a walk tells, and goes by. */
export interface PlanRunnerParts {
  readonly upstream: UpstreamClient;
  readonly dialectOf: DialectOf;
  readonly circuits: Circuits;
  readonly figures: MeasuredEndpoints;
  readonly authFailures: AuthFailures;
  readonly clock: Clock;
}

/** Walks a plan, one endpoint after the other, until one answers (contract.md section 5, last two points). */
export class PlanRunner {
  constructor(private readonly parts: PlanRunnerParts) {}

  /** Never rejects: whatever fails, the call's hold is to be settled. */
  async run(planned: PlannedCall): Promise<Exchange> {
    const attempts: ProviderAttempt[] = [];
    try {
      return await this.walk(planned, attempts);
    } catch (thrown) {
      return { kind: 'failed', attempts, error: GatewayError.from(thrown), servedBy: null };
    }
  }

  private async walk(planned: PlannedCall, attempts: ProviderAttempt[]): Promise<Exchange> {
    const { circuits, clock } = this.parts;
    const errors: GatewayError[] = [];
    const spent = new Set<string>();
    for (const step of planned.plan.attempts) {
      const { endpoint } = step;
      if (planned.left.aborted) return { kind: 'failed', attempts, error: null, servedBy: null };
      if (attempts.length >= planned.plan.attemptsMax) break;
      if (spent.has(endpoint.id) || !circuits.pass(endpoint.id)) continue;
      const startedAt = clock.now();
      const reading = await this.tryEndpoint(step, planned);
      const durationMs = clock.now() - startedAt;
      const { name: provider } = endpoint.provider;
      const attempt = {
        provider,
        region: endpoint.region,
        status: statusOf(reading),
        duration_ms: durationMs,
      };
      if (reading.kind !== 'failure') {
        attempts.push(attempt);
        const answer = this.measured(reading, endpoint, { latencyMs: durationMs, left: planned.left });
        return { ...answer, attempts, servedBy: endpoint, warnings: warningsOf(step.omitted) };
      }
      if (planned.left.aborted) {
        attempts.push({ ...attempt, status: null, error: 'client_left' });
        return { kind: 'failed', attempts, error: null, servedBy: endpoint };
      }
      const verdict = classifyFailure(reading.failure);
      const { error } = verdict;
      attempts.push({ ...attempt, error: error.code });
      await this.learn(step, planned, verdict, attempt.status);
      if (!verdict.next) return { kind: 'failed', attempts, error, servedBy: null };
      if (!verdict.boundToCredential) spent.add(endpoint.id);
      errors.push(error);
    }
    const [first, ...others] = errors;
    const error = first ? errorOfExhaustedPlan([first, ...others]) : allCircuitsOpen();
    return { kind: 'failed', attempts, error, servedBy: null };
  }

  /** A plain answer shows at once whether the endpoint is well and how fast it generates, a stream at its end. */
  private measured(
    reading: Answer,
    endpoint: ModelEndpoint,
    { latencyMs, left }: { readonly latencyMs: number; readonly left: AbortSignal },
  ): Answer {
    const { circuits, figures, clock } = this.parts;
    const stream = reading.kind === 'stream';
    if (!stream) {
      circuits.succeeded(endpoint.id);
      figures.answered(endpoint, reading.answer.usage?.outputTokens ?? null, latencyMs);
      return reading;
    }
    figures.began(endpoint, latencyMs);
    const begunAt = clock.now();
    const rest = measuredStream(reading, (isWhole) => {
      if (isWhole) circuits.succeeded(endpoint.id);
      // A caller that leaves says nothing about the endpoint.
      else if (!left.aborted) circuits.failed(endpoint.id);
      const { usage } = reading.relay;
      if (isWhole && usage !== null) {
        figures.generated(endpoint, usage.outputTokens, clock.now() - begunAt);
      }
    });
    return { ...reading, rest };
  }

  private async learn(
    { endpoint, credential: source }: PlannedAttempt,
    { call, terms, organizationId }: PlannedCall,
    { next, countsForCircuit, credentialRefused }: FailureVerdict,
    status: number | null,
  ): Promise<void> {
    const { circuits, figures, authFailures } = this.parts;
    if (countsForCircuit) circuits.failed(endpoint.id);
    // A refusal that is the caller's own says nothing about the endpoint.
    if (next) figures.failed(endpoint, call.stream);
    if (!credentialRefused) return;
    const { provider } = endpoint;
    const credential = terms.credentialFor(provider, source);
    await authFailures.report({ organizationId, provider, credential, status });
  }

  private async tryEndpoint(
    { endpoint, credential, omitted }: PlannedAttempt,
    planned: PlannedCall,
  ): Promise<Reading> {
    const { call, held, holdFacts, left, terms, plan } = planned;
    const { upstream, dialectOf, clock } = this.parts;
    const { secret } = terms.credentialFor(endpoint.provider, credential);
    const redact = redactionFor(endpoint.provider, secret);
    const dialect = dialectOf(endpoint, call);
    const body = await dialect.bodyFor(call, {
      endpoint,
      maxOutputTokens: outputLimitCoveredBy(held, holdFacts),
      modelMaxOutputTokens: plan.model.maxOutputTokens,
      omit: omitted.map(({ param }) => param),
    });
    try {
      const answer = await upstream.call(endpoint, secret, body, left);
      if (answer.status !== 200) return await readRefusal(answer, redact, clock.now());
      const nowMs = clock.now();
      if (call.stream) return await beginStream(answer, dialect.relayFor(call, nowMs), redact);
      return await readPlain(answer, (bytes) => dialect.readPlain(call, bytes, nowMs));
    } catch (cause) {
      const failure: UpstreamFailure =
        cause instanceof UpstreamTimeout ? { kind: `${cause.phase}_timeout` } : { kind: 'connection', cause };
      return { kind: 'failure', failure };
    }
  }
}

/** What the upstream answered with; null where it did not get that far. */
function statusOf(reading: Reading): number | null {
  if (reading.kind !== 'failure') return 200;
  return reading.failure.kind === 'status' ? reading.failure.status : null;
}

/** The circuits of the plan opened, or gave their one try to another call, after the plan was made. */
const allCircuitsOpen = (): GatewayError =>
  new GatewayError('overloaded', 'Every provider of this model is failing right now. Please retry.');
