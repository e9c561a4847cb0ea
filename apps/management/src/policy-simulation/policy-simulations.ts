import { Injectable } from '@nestjs/common';
import { type Caller } from '@svc/api';
import { type Catalog, type Model, type ModelEndpoint, modelNamed } from '@svc/catalog';
import { GatewayError } from '@svc/kernel';
import {
  assignRollouts,
  type ExplainedAttempt,
  explainRoute,
  lossesOf,
  movedCall,
  type Move,
  type MovedCall,
  type Rollout,
  rolloutChanges,
  type RouteExplanation,
  routingCallOf,
  serves,
} from '@svc/policy';
import { RolloutStore } from '@svc/policy/store';
import { OPERATIONS, sampleCall, type Operation, type ParsedCall } from '@svc/protocol';
import { OrganizationCatalog } from '../routing/organization-catalog';
import { CallerPolicies, type NamedPolicy, type PolicyDraft } from '../routing/caller-policies';
import { RoutingSource, type OrganizationRouting } from '../routing/routing-source';
import { ofDraft } from './draft-in';

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
    private readonly rollouts: RolloutStore,
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
    const ended = await this.endedRollouts(caller.organizationId, draft, [routing.inForce, policy], catalog);
    const surroundings = { catalog, routing, ended };
    if (question.model === undefined) {
      const models = [...catalog.models.values()];
      const changes = models.flatMap((model) => changeOf(model, question, policy, surroundings) ?? []);
      const factsAsOf = routing.factsAsOf(models.flatMap(({ endpoints }) => endpoints));
      return { call: null, changes, factsAsOf };
    }
    const call = simulated(question.model, question, policy, surroundings);
    const endpoints = modelNamed(catalog, question.model)?.endpoints ?? [];
    return { call, changes: null, factsAsOf: routing.factsAsOf(endpoints) };
  }

  /**
   * The names of rollouts of these policies that have ended.
   * @throws GatewayError `invalidRequest` for a draft whose rollouts cannot be written
   */
  private async endedRollouts(
    organizationId: string,
    draft: PolicyDraft | undefined,
    policies: readonly NamedPolicy[],
    catalog: Catalog,
  ): Promise<ReadonlySet<string>> {
    const names = policies.flatMap(({ policy }) => policy.rollouts.map(({ name }) => name));
    if (names.length === 0) return NONE;
    const known = await this.rollouts.known(organizationId, names);
    if (draft?.level === 'organization') {
      ofDraft(() => rolloutChanges(draft.document.rollouts, known, catalog));
    }
    return new Set(known.filter(({ isRunning }) => !isRunning).map(({ name }) => name));
  }
}

interface Surroundings {
  readonly catalog: Catalog;
  readonly routing: OrganizationRouting;
  /** The names of rollouts that have ended. */
  readonly ended: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

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
  question: SimulationQuestion,
  policy: NamedPolicy,
  surroundings: Surroundings,
): SimulatedCall {
  const { operation: asked, compatMode, parameters } = question;
  const { catalog, routing } = surroundings;
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
  const facts = { ...routing.planningFacts(policy, parsed.stream), catalog };
  const explained = (name: string, move?: Move) => {
    const of = modelNamed(catalog, name);
    const call = routingCallOf(parsed, of === undefined ? () => [] : lossesOf(parsed, of));
    return explainRoute({ ...call, modelId: name }, { ...facts, ...(move !== undefined && { move }) });
  };
  const moved = model === undefined ? null : movedByRollout(model, question, policy, surroundings);
  const byRollout = moved && explained(moved.modelId, moved.move);
  // A call that the target refuses stays where it was.
  const { attempts, excluded, refusal } = byRollout?.refusal === null ? byRollout : explained(modelId);
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

/** A simulated call has no end user and no session, so only a rollout by API key can take it. */
function movedByRollout(
  asked: Model,
  { apiKeyId }: SimulationQuestion,
  policy: NamedPolicy,
  { catalog, routing, ended }: Surroundings,
): MovedCall | null {
  const rollouts = policy.policy.rollouts.filter(({ name }) => !ended.has(name));
  const subjects = { end_user: null, session: null, api_key: apiKeyId };
  const isOf = ({ model }: Rollout) => modelNamed(catalog, model)?.id === asked.id;
  const { taken } = assignRollouts(rollouts, isOf, subjects);
  return taken && movedCall(taken, asked, { ...routing.availabilityFacts(policy), catalog });
}

const firstServed = (model: Model | undefined): Operation =>
  OPERATIONS.find((operation) => model?.endpoints.some((endpoint) => serves(endpoint, operation))) ??
  'chat_completions';
