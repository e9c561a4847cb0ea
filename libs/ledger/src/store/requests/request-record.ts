import { type Nanos } from '@svc/kernel';
import { type CallLabels, type TokenUsage } from '@svc/protocol';
import { type CallExplanation } from '../wallet/call-explanation';
import { type FinalStatus } from '../wallet/settlement';

/** One try at one provider, as the edge stored it. */
interface RecordedAttempt {
  readonly provider: string;
  readonly region: string;
  /** The provider's HTTP status; null when it gave none. */
  readonly status: number | null;
  readonly duration_ms: number;
  /** The error's code in the catalogue; absent when the provider answered. */
  readonly error?: string;
  /** The provider's own id of the request; null when it gave none. Absent in attempts of earlier versions. */
  readonly upstream_request_id?: string | null;
  /** Milliseconds from the arrival of the call. This and what follows is absent in attempts of earlier versions. */
  readonly started_ms?: number;
  /** Milliseconds from the start of the attempt to the head of the provider's answer; null when none came. */
  readonly first_byte_ms?: number | null;
  /** The id of the model endpoint in the catalog. */
  readonly endpoint_id?: string;
  /** Whose credential the attempt was made with. */
  readonly credential?: 'own' | 'platform' | 'none';
  /** Of the organization's own; null for the platform's, and for none. */
  readonly credential_id?: string | null;
  /** The reason that it comes before others that the policy's order puts first. */
  readonly placed_by?: 'affinity' | 'rollout' | null;
}

/** One inference call (docs/reference/money.md#request-records). */
export interface RequestRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly apiKeyId: string;
  readonly route: string;
  readonly model: string;
  readonly stream: boolean;
  /** `Svc-Session-Id` of the caller. */
  readonly sessionId: string | null;
  readonly status: 'pending' | FinalStatus;
  /** When the call arrived: the time in its id. The history is sorted and filtered by it. */
  readonly createdAt: Date;
  readonly provider: string | null;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly attempts: readonly RecordedAttempt[];
  readonly usage: TokenUsage;
  /** The hold before it was sent. */
  readonly held: Nanos;
  readonly customerNanos: Nanos;
  /** The part of the organization's own account at the provider. */
  readonly providerNanos: Nanos;
  /** The entry of the ledger that charged it; null where nothing was charged. */
  readonly transactionId: string | null;
  /** Null while pending. */
  readonly costState: 'final' | 'provisional' | null;
  readonly ttftMs: number | null;
  readonly durationMs: number | null;
  readonly traceId: string | null;
  /** Null where the caller set none, or the organization keeps none. */
  readonly labels: CallLabels | null;
  readonly usageTag: string | null;
  /** Whom it was for, as `eu_…`; null for nobody in particular. */
  readonly endUserId: string | null;
  /** As the caller gave it; null where it is not kept. */
  readonly endUser: string | null;
  /** Of the routing policy that it was planned by, 0 for the default. Null in records of earlier versions. */
  readonly policyVersion: number | null;
  /** Of the policies of its project and its key; null where there was none. */
  readonly projectPolicyVersion: number | null;
  readonly keyPolicyVersion: number | null;
  /** Null while pending, and in records of earlier versions. */
  readonly explanation: CallExplanation | null;
}
