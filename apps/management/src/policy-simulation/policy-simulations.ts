import { Injectable } from '@nestjs/common';
import { type Caller } from '@svc/api';
import { type Catalog, type Model, type ModelEndpoint, modelNamed } from '@svc/catalog';
import { GatewayError } from '@svc/kernel';
import {
  type ExplainedAttempt,
  explainRoute,
  lossesOf,
  type RouteExplanation,
  routingCallOf,
  serves,
} from '@svc/policy';
import { OPERATIONS, sampleCall, type Operation, type ParsedCall } from '@svc/protocol';
import { OrganizationCatalog } from '../routing/organization-catalog';
import { CallerPolicies, type NamedPolicy, type PolicyDraft } from '../routing/caller-policies';
import { RoutingSource, type OrganizationRouting } from '../routing/routing-source';

interface SimulationQuestion {
  /** In the place of what its level has. Absent: the policy in force. */
  readonly draft?: PolicyDraft | undefined;
  /** Whose calls; null for those of the organization. */
  readonly projectId: string | null;
  readonly apiKeyId: string | null;
  /** By id or alias. Absent: every model. */
  readonly model?: string | undefined;
  /** Absent: the first that the model is served on. */
  readonly operation?: Operation | undefined;
  readonly compatMode: 'permissive' | 'strict';
  readonly parameters: readonly string[];
}

/** A planned attempt, and what is known of its endpoint. */
export interface SimulatedAttempt extends ExplainedAttempt {
  /** Milliseconds, as edges have measured it; null where none has. */
  readonly latencyMs: number | null;
  readonly isCircuitKnown: boolean;
}

interface SimulatedCall extends Omit<RouteExplanation, 'attempts'> {
  readonly operation: Operation;
  readonly attempts: readonly SimulatedAttempt[];
}

/** How a policy changes what calls of a model do. */
export interface ModelChange {
  readonly model: Model;
  readonly operation: Operation;
  readonly change: 'stops' | 'starts' | 'first_provider';
  /** The first endpoint under the policy in force, and under the draft. Null where calls are refused. */
  readonly before: ModelEndpoint | null;
  readonly after: ModelEndpoint | null;
  readonly refusal: GatewayError | null;
}

export interface PolicySimulation {
  /** Null without a model. */
  readonly call: SimulatedCall | null;
  /** Null with a model. */
  readonly changes: readonly ModelChange[] | null;
  /** When edges last told of the endpoints; null where they told nothing. */
  readonly factsAsOf: Date | null;
}

/** Says what calls would do under a policy, by the planner of the edge itself. Nothing is written. */
@Injectable()
export class PolicySimulations {
  constructor(
    private readonly policies: CallerPolicies,
    private readonly routing: RoutingSource,
    private readonly catalog: OrganizationCatalog,
  ) {}

  /**
   * @throws GatewayError as {@link CallerPolicies.subject}; `permissionDenied` for a project's key with a draft of the organization's
   * policy; `internal` for a policy in force that cannot be read.
   */
  async simulate(caller: Caller, question: SimulationQuestion): Promise<PolicySimulation> {
    const { draft } = question;
    if (draft?.level === 'organization' && caller.projectId !== null) {
      throw new GatewayError(
        'permissionDenied',
        'A project’s key cannot draft the policy of the organization.',
      );
    }
    const routing = await this.routing.of(await this.policies.subject(caller, question));
    const catalog = await this.catalog.of(caller);
    const policy = draft === undefined ? routing.inForce : routing.under(draft);
    if (question.model === undefined) {
      const models = [...catalog.models.values()];
      const changes = models.flatMap(
        (model) => changeOf(model, question, policy, { catalog, routing }) ?? [],
      );
      const factsAsOf = routing.factsAsOf(models.flatMap(({ endpoints }) => endpoints));
      return { call: null, changes, factsAsOf };
    }
    const call = simulated(question.model, question, policy, { catalog, routing });
    const endpoints = modelNamed(catalog, question.model)?.endpoints ?? [];
    return { call, changes: null, factsAsOf: routing.factsAsOf(endpoints) };
  }
}

interface Surroundings {
  readonly catalog: Catalog;
  readonly routing: OrganizationRouting;
}

function changeOf(
  model: Model,
  question: SimulationQuestion,
  draft: NamedPolicy,
  surroundings: Surroundings,
): ModelChange | null {
  const now = simulated(model.id, question, surroundings.routing.inForce, surroundings);
  const { operation, attempts, refusal } = simulated(model.id, question, draft, surroundings);
  const [before, after] = [now.attempts[0]?.endpoint ?? null, attempts[0]?.endpoint ?? null];
  if (before?.provider.name === after?.provider.name) return null;
  const change = after === null ? 'stops' : before === null ? 'starts' : 'first_provider';
  return { model, operation, change, before, after, refusal };
}

/** The call with these parameters, from its parsing to its plan. */
function simulated(
  modelId: string,
  { operation: asked, compatMode, parameters }: SimulationQuestion,
  policy: NamedPolicy,
  { catalog, routing }: Surroundings,
): SimulatedCall {
  const model = modelNamed(catalog, modelId);
  const operation = asked ?? firstServed(model);
  let parsed: ParsedCall;
  try {
    const { extraParameters } = catalog;
    parsed = sampleCall({ operation, model: modelId, compatMode, parameters, extraParameters });
  } catch (refusal) {
    if (refusal instanceof GatewayError) return { operation, attempts: [], excluded: [], refusal };
    throw refusal;
  }
  const routingCall = routingCallOf(parsed, model === undefined ? () => [] : lossesOf(parsed, model));
  const facts = { ...routing.planningFacts(policy, parsed.stream), catalog };
  const { attempts, excluded, refusal } = explainRoute(routingCall, facts);
  return {
    operation,
    attempts: attempts.map((attempt) => ({
      ...attempt,
      latencyMs: routing.figuresOf(attempt.endpoint, parsed.stream).latencyMs,
      isCircuitKnown: routing.isCircuitKnown(attempt.endpoint),
    })),
    excluded,
    refusal,
  };
}

const firstServed = (model: Model | undefined): Operation =>
  OPERATIONS.find((operation) => model?.endpoints.some((endpoint) => serves(endpoint, operation))) ??
  'chat_completions';
