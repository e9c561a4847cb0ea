import { GatewayError } from '@svc/kernel';
import { outputLimitCoveredBy } from '@svc/ledger';
import {
  type CallWarning,
  classifyFailure,
  errorOfExhaustedPlan,
  type FailureVerdict,
  type PlannedAttempt,
  type RoutePlan,
  type UpstreamFailure,
  upstreamOperation,
  warningsOf,
} from '@svc/policy';
import { type Affinities } from '../affinity/affinities';
import { type AuthFailures } from '../credentials/auth-failures';
import { type CallTrace } from '../call/call-trace';
import { type ReservedCall } from '../context/call-context';
import { NO_CREDENTIAL } from '../credentials/call-credential';
import { type PoolMember } from '../credentials/credential-pool';
import { redactionFor } from '../credentials/redaction';
import { credentialOf } from '../policy/organization-terms';
import { type UpstreamAnswer } from '../providers/upstream-call';
import { UpstreamTimeout } from '../providers/upstream-timeout';
import { type UpstreamClient } from '../providers/upstream-client';
import { upstreamRequestIdIn } from '../providers/upstream-request-id';
import { headersForEndpoint } from './call-headers';
import { AttemptGate, type GateParts } from './attempt-gate';
import { type AdapterOf } from './call-adapter';
import { type MeasuredEndpoints } from './endpoint-figures';
import { measuredStream } from './measured-stream';
import { type Exchange, type ProviderAttempt } from './exchange';
import { beginStream, readPlain, readRefusal, type Answer, type Reading } from './read-answer';

/** The parts of a call that an attempt takes. */
type PlannedCall = Pick<
  ReservedCall,
  'parsed' | 'organizationId' | 'terms' | 'plan' | 'held' | 'budgetHeld' | 'holdFacts' | 'demand' | 'affinity'
> & {
  readonly call: {
    readonly trace: CallTrace | null;
    /** Aborted when the caller disconnects. */
    readonly reply: { readonly disconnected: AbortSignal };
  };
};

/** The outcome of one attempt. */
interface Tried {
  readonly reading: Reading;
  /** Empty when no answer began. */
  readonly headers: UpstreamAnswer['headers'];
  /** Null when no answer began, or it had none. */
  readonly upstreamRequestId: string | null;
  /** Null when no answer began. */
  readonly firstByteAt: number | null;
}

interface PlanRunnerParts extends GateParts {
  readonly upstream: UpstreamClient;
  readonly adapterOf: AdapterOf;
  readonly figures: MeasuredEndpoints;
  readonly authFailures: AuthFailures;
  readonly affinities: Pick<Affinities, 'answered'>;
}

/** Walks a plan, one endpoint after the other, until one answers (docs/reference/errors.md#failures-of-a-provider). */
export class PlanRunner {
  constructor(private readonly parts: PlanRunnerParts) {}

  /**
   * Never rejects: whatever fails, the call's hold must be settled.
   * @param elapsedMs milliseconds from the arrival of the call until now.
   */
  async run(planned: PlannedCall, elapsedMs: number): Promise<Exchange> {
    const attempts: ProviderAttempt[] = [];
    try {
      return await this.walk(planned, attempts, this.parts.clock.now() - elapsedMs);
    } catch (thrown) {
      return { kind: 'failed', attempts, error: GatewayError.from(thrown), servedBy: null };
    }
  }

  private async walk(
    planned: PlannedCall,
    attempts: ProviderAttempt[],
    arrivedAt: number,
  ): Promise<Exchange> {
    const { clock } = this.parts;
    const errors: GatewayError[] = [];
    const gate = new AttemptGate(this.parts, planned.demand);
    const failedEndpoints = new Set<string>();
    const { disconnected } = planned.call.reply;
    for (const step of planned.plan.attempts) {
      const { endpoint } = step;
      if (disconnected.aborted) return { kind: 'failed', attempts, error: null, servedBy: null };
      if (attempts.length >= planned.plan.attemptsMax) break;
      if (failedEndpoints.has(endpoint.id)) continue;
      const member = credentialOf(planned.terms, step);
      const letThrough = gate.lets(step, member);
      if (!(letThrough instanceof Promise ? await letThrough : letThrough)) continue;
      const startedAt = clock.now();
      const tried = await this.tryEndpoint(step, planned, member);
      const { reading } = tried;
      const durationMs = clock.now() - startedAt;
      const attempt = attemptOf(step, member, tried, { startedAt, durationMs, arrivedAt });
      const answered = { endpointId: endpoint.id, sentAtMs: startedAt, headers: tried.headers };
      if (reading.kind !== 'failure') {
        attempts.push(attempt);
        if (member !== null) this.parts.credentialHealths.succeeded(member, answered);
        const answer = this.recordAnswer(reading, step, { planned, latencyMs: durationMs });
        return { ...answer, attempts, servedBy: endpoint, warnings: warningsTo(planned.plan, step) };
      }
      if (disconnected.aborted) {
        attempts.push({ ...attempt, status: null, error: 'client_left' });
        return { kind: 'failed', attempts, error: null, servedBy: endpoint };
      }
      const verdict = classifyFailure(reading.failure);
      const { error } = verdict;
      attempts.push({ ...attempt, error: error.code });
      if (member !== null && verdict.rests !== null) {
        this.parts.credentialHealths.refused(member, verdict.rests, answered);
      }
      await this.recordFailure(step, planned, verdict, { member, status: attempt.status });
      if (!verdict.next) return { kind: 'failed', attempts, error, servedBy: null };
      if (!verdict.boundToCredential) failedEndpoints.add(endpoint.id);
      errors.push(error);
    }
    const [first, ...others] = errors;
    const error = first ? errorOfExhaustedPlan([first, ...others]) : gate.error();
    return { kind: 'failed', attempts, error, servedBy: null };
  }

  /** Records the endpoint's success and speed, and that it has the conversation: of a plain answer at once, of a stream at its end. */
  private recordAnswer(
    reading: Answer,
    step: PlannedAttempt,
    { planned, latencyMs }: { readonly planned: PlannedCall; readonly latencyMs: number },
  ): Answer {
    const { circuits, figures, clock, affinities } = this.parts;
    const { endpoint } = step;
    const { disconnected } = planned.call.reply;
    const stream = reading.kind === 'stream';
    if (!stream) {
      circuits.succeeded(endpoint.id);
      figures.answered(endpoint, reading.answer.usage?.outputTokens ?? null, latencyMs);
      affinities.answered(planned, step);
      return reading;
    }
    figures.began(endpoint, latencyMs);
    const begunAt = clock.now();
    const rest = measuredStream(reading, (isWhole) => {
      if (isWhole) circuits.succeeded(endpoint.id);
      // A disconnected caller says nothing about the endpoint.
      else if (!disconnected.aborted) circuits.failed(endpoint.id);
      if (isWhole) affinities.answered(planned, step);
      const { usage } = reading.relay;
      if (isWhole && usage !== null) {
        figures.generated(endpoint, usage.outputTokens, clock.now() - begunAt);
      }
    });
    return { ...reading, rest };
  }

  private async recordFailure(
    { endpoint }: PlannedAttempt,
    { parsed, organizationId }: PlannedCall,
    { next, countsForCircuit, credentialRefused }: FailureVerdict,
    { member, status }: { readonly member: PoolMember | null; readonly status: number | null },
  ): Promise<void> {
    const { circuits, figures, authFailures } = this.parts;
    if (countsForCircuit) circuits.failed(endpoint.id);
    // A refusal that the caller caused says nothing about the endpoint.
    if (next) figures.failed(endpoint, parsed.stream);
    if (!credentialRefused || status === null) return;
    const { provider } = endpoint;
    const credential = member ?? NO_CREDENTIAL;
    await authFailures.report({ organizationId, provider, credential, status });
  }

  private async tryEndpoint(
    step: PlannedAttempt,
    planned: PlannedCall,
    member: PoolMember | null,
  ): Promise<Tried> {
    const { endpoint, omit, paidPartsOnly } = step;
    const { parsed, organizationId, held, budgetHeld, holdFacts, plan } = planned;
    const { trace, reply } = planned.call;
    const { upstream, adapterOf, clock } = this.parts;
    const { secret } = member ?? NO_CREDENTIAL;
    const redact = redactionFor(endpoint.provider, secret);
    const adapter = adapterOf(step, parsed);
    const body = await adapter.bodyFor(parsed, {
      endpoint,
      organizationId,
      maxOutputTokens: outputLimitCoveredBy(held, holdFacts, budgetHeld) ?? policyLimit(plan, parsed),
      modelMaxOutputTokens: plan.model.maxOutputTokens,
      omit,
      paidPartsOnly,
    });
    const read = (answer: UpstreamAnswer): Promise<Reading> => {
      const nowMs = clock.now();
      if (answer.status !== 200) return readRefusal(answer, redact, nowMs);
      if (parsed.stream) return beginStream(answer, adapter.relayFor(parsed, { endpoint, nowMs }), redact);
      const readBytes = (bytes: Uint8Array) => adapter.readPlain(parsed, bytes, { endpoint, nowMs });
      return readPlain(answer, parsed.operation, readBytes, redact);
    };
    let upstreamRequestId: string | null = null;
    let firstByteAt: number | null = null;
    let answerHeaders: UpstreamAnswer['headers'] = {};
    try {
      const headers = headersForEndpoint(parsed, endpoint, trace);
      const route = upstreamOperation(endpoint, parsed.operation);
      const answer = await upstream.call({ endpoint, route }, secret, body, reply.disconnected, headers);
      firstByteAt = clock.now();
      answerHeaders = answer.headers;
      upstreamRequestId = upstreamRequestIdIn(answerHeaders);
      return { reading: await read(answer), headers: answerHeaders, upstreamRequestId, firstByteAt };
    } catch (cause) {
      const failure: UpstreamFailure =
        cause instanceof UpstreamTimeout ? { kind: `${cause.phase}_timeout` } : { kind: 'connection', cause };
      return {
        reading: { kind: 'failure', failure },
        headers: answerHeaders,
        upstreamRequestId,
        firstByteAt,
      };
    }
  }
}

const warningsTo = ({ warnings }: RoutePlan, { losses }: PlannedAttempt): readonly CallWarning[] =>
  warnings.length === 0 ? warningsOf(losses) : [...warnings, ...warningsOf(losses)];

/** A call without a limit of its own would get the provider's default, which may be more than the policy allows. */
const policyLimit = (
  { isOutputLimited, model }: RoutePlan,
  { maxOutputTokens: asked }: Pick<ReservedCall['parsed'], 'maxOutputTokens'>,
): number | null => (isOutputLimited && asked === null ? model.maxOutputTokens : null);

/** The HTTP status of the upstream; null when none arrived. */
function statusOf(reading: Reading): number | null {
  if (reading.kind !== 'failure') return 200;
  return reading.failure.kind === 'status' ? reading.failure.status : null;
}

interface Timing {
  readonly startedAt: number;
  readonly durationMs: number;
  /** When the call arrived. */
  readonly arrivedAt: number;
}

const attemptOf = (
  planned: PlannedAttempt,
  member: PoolMember | null,
  { reading, upstreamRequestId, firstByteAt }: Tried,
  { startedAt, durationMs, arrivedAt }: Timing,
): ProviderAttempt => ({
  provider: planned.endpoint.provider.name,
  region: planned.endpoint.region,
  status: statusOf(reading),
  duration_ms: durationMs,
  upstream_request_id: upstreamRequestId,
  started_ms: Math.round(startedAt - arrivedAt),
  first_byte_ms: firstByteAt === null ? null : firstByteAt - startedAt,
  endpoint_id: planned.endpoint.id,
  credential: planned.credential,
  ...choiceOf(planned, member),
});

const NO_CHOICE = {};

/** Most attempts have neither, and what they don't have is not sent to the books. */
function choiceOf(
  planned: PlannedAttempt,
  member: PoolMember | null,
): Pick<ProviderAttempt, 'credential_id' | 'placed_by'> {
  const id = member?.id ?? null;
  const placedBy = planned.placedBy ?? (planned.affinity === 'pinned' ? 'affinity' : null);
  if (id === null && placedBy === null) return NO_CHOICE;
  return { ...(id !== null && { credential_id: id }), ...(placedBy !== null && { placed_by: placedBy }) };
}
