import { type Model } from '@svc/catalog';
import { type Nanos } from '@svc/kernel';
import { type HoldFacts } from '@svc/ledger';
import { type BucketDemand } from '@svc/limits';
import { type RoutePlan } from '@svc/policy';
import { type ParsedCall } from '@svc/protocol';
import { type CallAffinity } from '../call/call-affinity';
import { type Caller } from '../call/caller';
import { type CallArm } from '../call-minutes/rollout-minute-sums';
import { type InferenceCall } from '../call/inference-call';
import { type AnswerClaim } from '../idempotency/answer-claim';
import { type CurrentPolicy } from '../policy/policies';
import { type NamedEndUser } from '../policy/end-users';
import { type OrganizationTerms } from '../policy/organization-terms';

/** A call that is served: whose it is, what it asks for, and what it is booked on. Made once, when all that is known. */
export interface CallContext {
  readonly call: InferenceCall;
  readonly parsed: ParsedCall;
  readonly caller: Caller;
  readonly organizationId: string;
  readonly apiKeyId: string;
  /** The project that it is booked on; null without one. */
  readonly projectId: string | null;
  readonly sessionId: string | null;
  /** The policy that it stands under: of its organization, narrowed by its project and its key. */
  readonly current: CurrentPolicy;
  /** Whom it is for; null for nobody in particular. */
  readonly endUser: NamedEndUser | null;
  /** Where its answer is kept for a retry. */
  readonly claim: AnswerClaim;
}

/** How a call stands to the rollouts of its model. */
export interface CallRollouts {
  /** Those that it counts for. Nearly always none. */
  readonly arms: readonly CallArm[];
  /** True where a rollout had another model answer than the call asked for. */
  readonly isOtherModel: boolean;
}

/** A call with what is reserved for it before a provider is called. */
export interface ReservedCall extends CallContext {
  /** The terms of the plan: they hold the credentials of its attempts. */
  readonly terms: OrganizationTerms;
  readonly plan: RoutePlan;
  /** Of the plan: the target of an alias, or of a rollout. */
  readonly model: Model;
  readonly rollouts: CallRollouts;
  readonly holdFacts: HoldFacts;
  /** The amount that the wallet holds. */
  readonly held: Nanos;
  /** The amount that its budgets hold. */
  readonly budgetHeld: Nanos;
  /** The demand on a bucket. */
  readonly demand: BucketDemand;
  /** Null where nothing is to choose, or it is part of no conversation. */
  readonly affinity: CallAffinity | null;
}
