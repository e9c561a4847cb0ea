import { type Nanos } from '@svc/kernel';

/** What a call may cost and everything that is known of it before dispatch. Becomes its request record. */
export interface HoldRequest {
  readonly requestId: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly apiKeyId: string;
  /** The process that will settle it; see EdgeInstanceStore. */
  readonly edgeInstanceId: string;
  /** `Svc-Session-Id` (contract.md section 5). */
  readonly sessionId: string | null;
  readonly route: string;
  readonly model: string;
  readonly stream: boolean;
  /** Less than this refuses the call. */
  readonly holdMin: Nanos;
  /** More than this is never held. */
  readonly holdMax: Nanos;
}

/** As the SQL function `open_holds` reads it. */
export const holdRow = (hold: HoldRequest): object => ({
  request_id: hold.requestId,
  organization_id: hold.organizationId,
  project_id: hold.projectId,
  api_key_id: hold.apiKeyId,
  edge_instance_id: hold.edgeInstanceId,
  session_id: hold.sessionId,
  route: hold.route,
  model: hold.model,
  stream: hold.stream,
  hold_min: String(hold.holdMin),
  hold_max: String(hold.holdMax),
});
