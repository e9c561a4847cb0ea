import {
  estimateTokens,
  holdFor,
  planRoute,
  promptTokenBound,
  type HoldFacts,
  type RoutePlan,
} from '@svc/inference';
import { GatewayError, type Nanos } from '@svc/kernel';
import { type LedgerStore } from '@svc/persistence';
import { type ParsedCall } from '@svc/protocol';
import { type CatalogSource } from '../catalog/catalog-source';
import { type Credentials } from '../catalog/credentials';
import { type Delivery } from '../delivery/deliver';
import { type Circuits } from '../dispatch/circuits';
import { type PlanRunner } from '../dispatch/plan-runner';
import { type LimitDecision, type RateLimiter } from '../limits/rate-limiter';
import { type CallParser } from '../parsing/call-parser';
import { type Authenticator } from './authenticate';
import { type Caller } from './caller';
import { type InferenceCall } from './inference-call';
import { type ProjectResolver } from './resolve-project';

/** What the pipeline calls, in the order in which it does. */
export interface PipelineSteps {
  readonly authenticator: Authenticator;
  readonly projects: ProjectResolver;
  readonly parser: CallParser;
  readonly limiter: RateLimiter;
  readonly catalog: CatalogSource;
  readonly credentials: Credentials;
  readonly circuits: Circuits;
  readonly ledger: LedgerStore;
  readonly runner: PlanRunner;
  readonly delivery: Delivery;
  readonly edgeInstanceId: string;
}

/** What is reserved for a call before any provider hears of it. */
interface Reservation {
  readonly plan: RoutePlan;
  readonly holdFacts: HoldFacts;
  readonly held: Nanos;
}

/** One inference call from its arrival to its books (contract.md section 5). Read this first. */
export class InferencePipeline {
  constructor(private readonly steps: PipelineSteps) {}

  /** @throws GatewayError for whatever is refused before an answer has begun. */
  async run(call: InferenceCall): Promise<void> {
    const caller = await this.steps.authenticator.authenticate(call.headers); // 401 invalid_api_key, 403 permission_denied
    const projectId = await this.steps.projects.resolve(caller, call.headers); // 403 permission_denied, 404 not_found
    Object.assign(call.facts, {
      organization_id: caller.organizationId,
      api_key_id: caller.apiKeyId,
      project_id: projectId,
    });

    const parsed = await this.steps.parser.parse(call.operation, await call.readBody()); // 400 invalid_request, unsupported_parameter
    Object.assign(call.facts, { model: parsed.model, stream: parsed.stream });

    const admission = await this.admit(call, caller, parsed); // 400 invalid_request, 429 rate_limit
    const reserved = await this.orGiveBack(admission, () => this.reserve(call, caller, projectId, parsed)); // 402, 404, 422, 503

    const { requestId, reply } = call;
    const exchange = await this.steps.runner.run({ call: parsed, left: reply.left, ...reserved }); // 400, 429, 502, 503
    const { organizationId } = caller;
    const model = reserved.plan.model;
    await this.steps.delivery.deliver(exchange, {
      call,
      parsed,
      requestId,
      organizationId,
      model,
      held: reserved.held,
    });
  }

  private async admit(call: InferenceCall, caller: Caller, parsed: ParsedCall): Promise<LimitDecision> {
    const model = this.steps.catalog.current().models.get(parsed.model);
    const tokens = estimateTokens({
      promptBytes: parsed.promptBytes,
      contextWindow: model?.contextWindow ?? null,
      outputTokensAsked: parsed.maxOutputTokens,
      modelMaxOutputTokens: model?.maxOutputTokens ?? null,
      choices: parsed.choices,
    });
    const decision = await this.steps.limiter.admit(caller, { requests: 1, tokens });
    call.reply.addHeaders(decision.headers);
    if (decision.refusal !== null) throw decision.refusal;
    return decision;
  }

  /** Steps 6 to 8: a plan, and money for it. */
  private async reserve(
    call: InferenceCall,
    caller: Caller,
    projectId: string | null,
    parsed: ParsedCall,
  ): Promise<Reservation> {
    const { catalog, credentials, circuits, ledger, edgeInstanceId } = this.steps;
    const plan = planRoute(
      { modelId: parsed.model, operation: call.operation },
      {
        catalog: catalog.current(),
        hasCredential: (provider) => credentials.has(provider),
        openCircuits: circuits.open(),
      },
    );
    const holdFacts = holdFactsOf(parsed, plan);
    const held = await ledger.openHold({
      requestId: call.requestId,
      organizationId: caller.organizationId,
      projectId,
      apiKeyId: caller.apiKeyId,
      edgeInstanceId,
      sessionId: null,
      route: call.operation,
      model: parsed.model,
      stream: parsed.stream,
      ...holdFor(holdFacts),
    });
    if (held === null) {
      throw new GatewayError(
        'insufficientFunds',
        'The wallet cannot pay for this call. Nothing was sent or charged.',
      );
    }
    return { plan, holdFacts, held };
  }

  /** A refusal after admission leaves nothing behind in the buckets. */
  private async orGiveBack<T>(admission: LimitDecision, step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (refusal) {
      await admission.giveBack();
      throw refusal;
    }
  }
}

function holdFactsOf(parsed: ParsedCall, { model, attempts }: RoutePlan): HoldFacts {
  return {
    promptTokensMax: promptTokenBound(parsed.promptTokensMax, model.contextWindow),
    outputTokensAsked: parsed.maxOutputTokens,
    modelMaxOutputTokens: model.maxOutputTokens,
    choices: parsed.choices,
    prices: attempts.map(({ prices }) => prices),
  };
}
