import { type ModelEndpoint } from '@svc/catalog';
import { type TokenUsage } from '@svc/protocol';

/** The facts of a call that a minute counts. */
export interface EndedCall {
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly apiKeyId: string;
  /** The one that is charged. */
  readonly model: string;
  readonly status: 'succeeded' | 'failed' | 'cancelled';
  readonly httpStatus: number | null;
  readonly servedBy: Pick<ModelEndpoint, 'provider'> | null;
  readonly attempts: readonly { readonly provider: string }[];
  readonly usage: TokenUsage | null;
  readonly ttftMs: number | null;
  readonly durationMs: number;
}

const RATE_LIMITED = 429;

/** A provider's 4xx is the caller's own fault, unless it is the provider's rate limit (docs/reference/money.md#usage). */
export const isFailure = ({ status, httpStatus }: Pick<EndedCall, 'status' | 'httpStatus'>): boolean =>
  status === 'failed' &&
  !(httpStatus !== null && httpStatus >= 400 && httpStatus < 500 && httpStatus !== RATE_LIMITED);
