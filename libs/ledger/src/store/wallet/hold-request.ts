import { type Nanos } from '@svc/kernel';
import { type CallLabels } from '@svc/protocol';

/** Whom a call is for (docs/end-users.md). */
export interface HeldEndUser {
  /** `eu_` and 26 characters. */
  readonly id: string;
  /** As the caller gave it; null where it is not kept. */
  readonly name: string | null;
  /** How many end users of the organization are named in the usage of a day. */
  readonly namedPerDayMax: number;
}

/** The maximum cost of a call, and everything known of it before dispatch. Becomes its request record. */
export interface HoldRequest {
  readonly requestId: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly apiKeyId: string;
  /** The process that will settle it; see EdgeInstanceStore. */
  readonly edgeInstanceId: string;
  /** `Svc-Session-Id` (docs/reference/limits-and-budgets.md#sessions). */
  readonly sessionId: string | null;
  readonly route: string;
  readonly model: string;
  readonly stream: boolean;
  /** The trace that the call belongs to: 32 hexadecimal digits. */
  readonly traceId: string | null;
  /** The labels of the caller; null for none. */
  readonly labels: CallLabels | null;
  /** A tag that its usage is summed by, besides project, key, model and provider. */
  readonly usageTag: string | null;
  /** Absent or null for nobody in particular. */
  readonly endUser?: HeldEndUser | null;
  /** Of the routing policy that planned it, 0 for the default. Absent where its record keeps none. */
  readonly policyVersion?: number;
  /** Of the policies of its project and its key. Absent where there is none. */
  readonly projectPolicyVersion?: number | undefined;
  readonly keyPolicyVersion?: number | undefined;
  /** The call is refused when less than this can be held. */
  readonly holdMin: Nanos;
  /** The most that is held. */
  readonly holdMax: Nanos;
  /** The same of what its budgets count. Both are absent where it is what the wallet holds. */
  readonly budgetMin?: Nanos;
  readonly budgetMax?: Nanos;
}

export type HoldRow = ReturnType<typeof holdRow>;

/** As the SQL function `open_hold_parts` reads it. */
export const holdRow = (hold: HoldRequest) => ({
  request_id: hold.requestId,
  organization_id: hold.organizationId,
  project_id: hold.projectId,
  api_key_id: hold.apiKeyId,
  edge_instance_id: hold.edgeInstanceId,
  session_id: hold.sessionId,
  route: hold.route,
  model: hold.model,
  stream: hold.stream,
  // Most calls have none, and what is not sent is not parsed.
  trace_id: hold.traceId ?? undefined,
  labels: hold.labels ?? undefined,
  usage_tag: hold.usageTag ?? undefined,
  policy_version: hold.policyVersion,
  project_policy_version: hold.projectPolicyVersion,
  key_policy_version: hold.keyPolicyVersion,
  end_user_id: hold.endUser?.id,
  end_user: hold.endUser?.name ?? undefined,
  end_users_per_day: hold.endUser?.namedPerDayMax,
  hold_min: String(hold.holdMin),
  hold_max: String(hold.holdMax),
  budget_min: hold.budgetMin === undefined ? undefined : String(hold.budgetMin),
  budget_max: hold.budgetMax === undefined ? undefined : String(hold.budgetMax),
});
