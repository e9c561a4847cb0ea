import { type Nanos } from '@svc/kernel';
import { type CallLabels, type TokenUsage } from '@svc/protocol';
import { type FinalStatus } from '../ledger/settlement';

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
  readonly status: 'pending' | FinalStatus;
  /** When the call arrived: the time in its id. The history is sorted and filtered by it. */
  readonly createdAt: Date;
  readonly provider: string | null;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly attempts: readonly RecordedAttempt[];
  readonly usage: TokenUsage;
  readonly customerNanos: Nanos;
  /** Null while pending. */
  readonly costState: 'final' | 'provisional' | null;
  readonly ttftMs: number | null;
  readonly durationMs: number | null;
  readonly traceId: string | null;
  /** Null where the caller set none, or the organization keeps none. */
  readonly labels: CallLabels | null;
  readonly usageTag: string | null;
}
