/** The pattern of handlers that take finished calls, and the suffix of their topic's name. */
export const CALLS = 'calls.v1';

/**
 * A finished call of an organization that has it told to a collector. The payload is telemetry's, and it may be lost: it
 * is handed over at most once, and neither tried again nor parked.
 */
export interface CallRecord {
  readonly organizationId: string;
  readonly payload: string;
}

/** Hands finished calls over to the handlers of `@EventPattern(CALLS, { group })`. */
export interface CallClient {
  /** Rejects where they were not taken: they are lost then. */
  handOver(calls: readonly CallRecord[]): Promise<void>;
  close(): Promise<void>;
}
