import { type Catalog, type Model, modelNamed, promptWindow } from '@svc/catalog';
import { GatewayError } from '@svc/kernel';
import { type HoldFacts, holdRefusedError, idempotencyKeyIn, promptTokenBound } from '@svc/ledger';
import { type LedgerStore } from '@svc/ledger/store';
import { type BucketDemand, estimateTokens } from '@svc/limits';
import {
  allowsModel,
  allowsOperation,
  modelNotFound,
  type MovedCall,
  modelWithin,
  planRoute,
  readAffinityEntry,
  type Policy,
  PolicyRefusal,
  type RoutePlan,
  routingCallOf,
} from '@svc/policy';
import { anthropicHeadersIn, type ParsedCall } from '@svc/protocol';
import { affinityNameOf } from '../affinity/affinity-name';
import { type AffinityName, type CallAffinity } from '../call/call-affinity';
import { type RolloutMinuteRecorder } from '../call-minutes/rollout-minute-recorder';
import { type CatalogSource } from '../catalog/catalog-source';
import { type CallContext, type ReservedCall } from '../context/call-context';
import { CredentialChoices } from '../policy/credential-choices';
import { type CredentialHealths } from '../credentials/credential-healths';
import { type Delivery } from '../delivery/deliver';
import { type PromptCounter } from '../counting/prompt-counter';
import { type Circuits } from '../dispatch/circuits';
import { type CallTranslator } from '../dispatch/call-translator';
import { type MeasuredEndpoints } from '../dispatch/endpoint-figures';
import { upstreamRequestIds } from '../dispatch/exchange';
import { type PlanRunner } from '../dispatch/plan-runner';
import { type IdempotentCalls } from '../idempotency/idempotent-calls';
import { replayAnswer, type StoredAnswer } from '../idempotency/replay-answer';
import { bucketOwnerOf } from '../limits/bucket-owner';
import { type LimitDecision, type RateLimiter } from '../limits/rate-limiter';
import { type CallParser } from '../parsing/call-parser';
import { type BookedLabels } from '../policy/booked-labels';
import { type EndUsers } from '../policy/end-users';
import { type OrganizationTerms, type TermsSource } from '../policy/organization-terms';
import { type TunedModels } from '../policy/tuned-models';
import { type Authenticator } from './authenticate';
import { type Caller } from '../call/caller';
import { endUserHeaderIn, endUserRequired } from './end-user-header';
import { holdForCall } from './hold-for-call';
import { elapsedMs, type InferenceCall } from '../call/inference-call';
import { type ProjectResolver } from './resolve-project';
import { movedBy, NO_ROLLOUT, rolloutOfCall, type RolloutOfCall } from './rollout-of-call';
import { sessionIdIn } from './session-id';

/** In the order in which the pipeline calls them. */
interface PipelineSteps {
  readonly authenticator: Authenticator;
  readonly projects: ProjectResolver;
  readonly parser: CallParser;
  readonly idempotency: IdempotentCalls;
  /** The API key that made an earlier call; null for an unknown call. */
  readonly keyOfCall: (organizationId: string, requestId: string) => Promise<string | null>;
  readonly limiter: RateLimiter;
  readonly catalog: CatalogSource;
  readonly terms: TermsSource;
  readonly tunedModels: TunedModels;
  readonly translator: CallTranslator;
  readonly circuits: Circuits;
  readonly credentialHealths: CredentialHealths;
  readonly figures: MeasuredEndpoints;
  readonly bookedLabels: BookedLabels;
  readonly endUsers: EndUsers;
  /** Counts the calls that the targets of rollouts refuse. */
  readonly rolloutMinutes: Pick<RolloutMinuteRecorder, 'noteRefused'>;
  readonly ledger: LedgerStore;
  readonly promptCounter: PromptCounter;
  readonly runner: PlanRunner;
  readonly delivery: Delivery;
  readonly edgeInstanceId: string;
}

/** A call that its buckets admitted, with what it is planned with. */
interface AdmittedCall {
  readonly catalog: Catalog;
  readonly terms: OrganizationTerms;
  readonly demand: BucketDemand;
  readonly affinity: CallAffinity | null;
}

const BUDGET_WARNING = 'Svc-Budget-Warning';
const NO_LABELS = { labels: null, usageTag: null };

/** The facts that a call is planned with. */
type PlannedModel = { readonly catalog: Catalog } & Partial<MovedCall>;
/** A call that has its plan. */
type PlannedCall = Pick<ReservedCall, 'plan' | 'rollouts'>;

/**
 * One inference call from its arrival to its settlement (docs/reference/inference-and-compatibility.md#order-of-checks).
 * Read this first.
 */
export class InferencePipeline {
  constructor(private readonly steps: PipelineSteps) {}

  /** @throws GatewayError for a call that is refused before its answer has begun. */
  async run(call: InferenceCall): Promise<void> {
    const { headers, origin, facts } = call;
    const caller = await this.steps.authenticator.authenticate(headers, origin); // 401 invalid_api_key, 403 permission_denied
    const { organizationId, apiKeyId } = caller;
    facts.organization_id = organizationId;
    facts.api_key_id = apiKeyId;
    facts.project_id = caller.projectId;
    const projectId = await this.steps.projects.resolve(caller, headers); // 403 permission_denied, 404 not_found
    facts.project_id = projectId;
    const found = this.steps.terms.policyOf({ organizationId, projectId, apiKeyId });
    const current = found instanceof Promise ? await found : found; // 500 internal
    const sessionId = sessionIdIn(headers); // 400 invalid_request
    const endUserHeader = endUserHeaderIn(headers); // 400 invalid_request
    const key = idempotencyKeyIn(headers['idempotency-key']); // 400 invalid_request
    const anthropic = anthropicHeadersIn(headers); // 400 invalid_request

    // A call with an idempotency key may be a replay, which never touches the buckets.
    const beforeLarge = key === null ? () => this.peekRequestBucket(call, caller) : undefined; // 429 rate_limit
    const body = await call.readBody(organizationId, beforeLarge); // 400 invalid_request, 503 overloaded
    const asked = { organizationId, fingerprinted: key !== null, anthropic, endUserHeader };
    const { parsed, fingerprint } = await this.steps.parser.read(call.operation, body, asked); // 400 invalid_request, unsupported_parameter
    facts.model = parsed.model;
    facts.stream = parsed.stream;
    const endUserName = endUserHeader ?? parsed.endUser;
    // Before any replay.
    if (endUserName === null && current.policy.requireEndUser) throw endUserRequired(); // 400 invalid_request

    const keyed = { organizationId, requestId: call.requestId, key, fingerprint };
    const { claim, stored } = await this.steps.idempotency.claim(keyed); // 409 idempotency_key_reused, idempotency_in_progress
    if (stored !== undefined) {
      await this.admitReplay(caller, parsed, current.policy, stored); // 404 not_found, 503 overloaded
      return replayAnswer(call, parsed, stored);
    }
    try {
      const endUser = endUserName === null ? null : await this.steps.endUsers.of(organizationId, endUserName); // 503 overloaded
      await this.serve({
        call,
        parsed,
        caller,
        organizationId,
        apiKeyId,
        projectId,
        sessionId,
        current,
        endUser,
        claim,
      });
    } finally {
      // Before the caller gets its error, so that it can retry with the same key at once.
      await claim.release();
    }
  }

  /** Steps 5 to 10, which a replay skips. */
  private async serve(context: CallContext): Promise<void> {
    const { call, parsed, organizationId } = context;
    const found = this.steps.tunedModels.catalogFor(
      parsed.model,
      organizationId,
      this.steps.catalog.current(),
    );
    // Nearly always at hand: then the call does not wait.
    const catalog = found instanceof Promise ? await found : found; // 503 overloaded
    const terms = await this.steps.terms.under(context.current, organizationId);
    const model = modelNamed(catalog, parsed.model);
    const demand = demandOf(context, model);
    const affinity = affinityNameOf(context, model, terms);
    const admission = await this.admit(context, demand, affinity); // 400 invalid_request, 429 rate_limit
    let reserved: ReservedCall;
    try {
      const found = affinity && { ...affinity, entry: readAffinityEntry(admission.entry) };
      reserved = await this.reserve(context, { catalog, terms, demand, affinity: found }); // 402, 404, 422, 429, 502, 503
    } catch (refusal) {
      // A refusal after admission takes nothing from the buckets.
      await admission.giveBack();
      throw refusal;
    }

    const sentAfterMs = elapsedMs(call);
    const exchange = await this.steps.runner.run(reserved, sentAfterMs); // 400, 429, 502, 503
    call.facts.upstream_ms = inMicroseconds(elapsedMs(call) - sentAfterMs);
    call.facts.upstream_request_ids = upstreamRequestIds(exchange.attempts);
    await this.steps.delivery.deliver(exchange, reserved);
  }

  /** Refuses a large body before it is read when a request bucket is empty. Takes nothing from the buckets. */
  private async peekRequestBucket({ reply }: InferenceCall, caller: Caller): Promise<void> {
    const { headers, refusal } = await this.steps.limiter.peek(caller, { requests: 1, tokens: 0 });
    if (refusal === null) return;
    reply.addHeaders(headers);
    throw refusal;
  }

  /**
   * Replays an answer to another key than the original's only where the policy of that key allows its model and operation. The
   * original's own retry is replayed whatever they allow by now.
   * @throws GatewayError `notFound`; `overloaded` where the organization's tuned models cannot be looked up
   */
  private async admitReplay(
    { organizationId, apiKeyId }: Caller,
    { model: name, operation }: ParsedCall,
    policy: Policy,
    { requestId }: StoredAnswer,
  ): Promise<void> {
    const { tunedModels, catalog } = this.steps;
    const model = modelNamed(await tunedModels.catalogFor(name, organizationId, catalog.current()), name);
    const judged = { modelId: model?.id ?? name, tunedFrom: model?.tunedFrom };
    if (allowsModel(policy, judged) && allowsOperation(policy, operation)) return;
    if ((await this.steps.keyOfCall(organizationId, requestId)) === apiKeyId) return;
    throw modelNotFound({ modelId: name });
  }

  private async admit(
    context: CallContext,
    demand: BucketDemand,
    affinity: AffinityName | null,
  ): Promise<LimitDecision> {
    const decision = await this.steps.limiter.admit(bucketOwnerOf(context), demand, affinity);
    context.call.reply.addHeaders(decision.headers);
    if (decision.refusal !== null) throw decision.refusal;
    return decision;
  }

  /** Steps 6 to 8: plans the call, where a rollout moves it first, and holds money for it within the budgets. */
  private async reserve(context: CallContext, admitted: AdmittedCall): Promise<ReservedCall> {
    const { terms, catalog } = admitted;
    const { moved, arms } =
      terms.rollouts.length === 0
        ? NO_ROLLOUT
        : await rolloutOfCall(context, terms, catalog, this.steps.tunedModels); // 503
    if (moved !== null) {
      const plan = await this.planMoved(context, admitted, moved);
      const held = plan && (await this.holdMoved(context, admitted, { plan, rollouts: movedBy(moved) }));
      if (held !== null) return held;
    }
    const plan = await this.plan(context, admitted, { catalog }); // 404, 422, 429, 502, 503
    return this.hold(context, admitted, { plan, rollouts: { arms, isOtherModel: false } }); // 402
  }

  /** Null where the target refuses the call: then it stays where it was. */
  private async planMoved(
    context: CallContext,
    admitted: AdmittedCall,
    moved: NonNullable<RolloutOfCall['moved']>,
  ): Promise<RoutePlan | null> {
    try {
      return await this.plan(context, admitted, moved);
    } catch (refusal) {
      if (!(refusal instanceof GatewayError) || refusal.reason === 'internal') throw refusal;
      // Else a target that fails wholly would get no calls any more, and never be judged.
      if (moved.move.isOtherModel) this.steps.rolloutMinutes.noteRefused(moved.rolloutId, refusal);
      return null;
    }
  }

  /** Null where the target may cost more than the policy allows a call. */
  private async holdMoved(
    context: CallContext,
    admitted: AdmittedCall,
    planned: PlannedCall,
  ): Promise<ReservedCall | null> {
    try {
      return await this.hold(context, admitted, planned);
    } catch (refusal) {
      if (refusal instanceof PolicyRefusal) return null;
      throw refusal;
    }
  }

  private async hold(
    context: CallContext,
    { terms, demand, affinity }: AdmittedCall,
    { plan: planned, rollouts }: PlannedCall,
  ): Promise<ReservedCall> {
    const { call, parsed, organizationId, apiKeyId, projectId, sessionId, endUser } = context;
    const { model } = planned;
    const { bookedLabels, edgeInstanceId } = this.steps;
    const labelled =
      parsed.labels === null ? NO_LABELS : await bookedLabels.of(parsed.labels, organizationId, terms.policy);
    const holdRequest = {
      requestId: call.requestId,
      organizationId,
      projectId,
      sessionId,
      apiKeyId,
      edgeInstanceId,
      route: call.operation,
      // The target of an alias or a rollout: records and usage go by the model that was charged.
      model: model.id,
      stream: parsed.stream,
      traceId: call.trace?.traceId ?? null,
      ...labelled,
      endUser: endUser && this.steps.endUsers.held(endUser, terms.policy),
      policyVersion: terms.policyVersion,
      projectPolicyVersion: terms.projectPolicyVersion,
      keyPolicyVersion: terms.keyPolicyVersion,
    };
    const { decision, holdFacts, plan } = await holdForCall(this.steps, {
      booking: holdRequest,
      parsed,
      plan: planned,
      policy: terms.policy,
      prices: terms.prices,
      facts: factsOf(parsed, planned),
      promptWindow: promptWindow(parsed, model),
    });
    const { budgetWarningBps } = decision;
    if (budgetWarningBps !== null) call.reply.addHeaders({ [BUDGET_WARNING]: String(budgetWarningBps) });
    if (decision.refusedBy !== null) throw holdRefusedError(decision.refusedBy);
    const { held, budgetHeld = held } = decision;
    return { ...context, terms, plan, model, rollouts, holdFacts, held, budgetHeld, demand, affinity };
  }

  private async plan(
    { call, parsed, organizationId }: CallContext,
    { terms, affinity }: AdmittedCall,
    { catalog, modelId = parsed.model, move }: PlannedModel,
  ): Promise<RoutePlan> {
    const { translator, circuits, credentialHealths, figures } = this.steps;
    const model = modelNamed(catalog, modelId);
    const untranslatable = await translator.lossesAt(
      parsed,
      model && modelWithin(model, terms.policy),
      organizationId,
    );
    const asked = routingCallOf(parsed, untranslatable);
    return planRoute(modelId === parsed.model ? asked : { ...asked, modelId }, {
      ...terms,
      catalog,
      credentials: new CredentialChoices(credentialHealths, terms, call.requestId, affinity?.key),
      affinity: affinity && affinity.entry,
      openCircuits: circuits.openForPlan,
      figuresOf: (endpoint) => figures.of(endpoint, parsed.stream),
      ...(move !== undefined && { move }),
    });
  }
}

/** The demand of the call on each bucket. */
function demandOf({ parsed, current }: CallContext, named: Model | undefined): BucketDemand {
  const model = named && modelWithin(named, current.policy);
  const tokens = estimateTokens({
    promptBytes: parsed.promptBytes,
    promptTokensMax: parsed.promptTokensMax,
    promptWindow: model === undefined ? null : promptWindow(parsed, model),
    outputTokensAsked: parsed.maxOutputTokens,
    modelMaxOutputTokens: model?.maxOutputTokens ?? null,
    choices: parsed.choices,
  });
  return { requests: 1, tokens, isInputOnly: parsed.operation === 'embeddings' };
}

/** Milliseconds rounded to microseconds, for the log. */
const inMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000;

function factsOf(parsed: ParsedCall, { model }: RoutePlan): Omit<HoldFacts, 'prices'> {
  return {
    promptTokensMax: promptTokenBound(parsed.promptTokensMax, promptWindow(parsed, model)),
    outputTokensAsked: parsed.maxOutputTokens,
    modelMaxOutputTokens: model.maxOutputTokens,
    choices: parsed.choices,
  };
}
