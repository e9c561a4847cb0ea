/** One endpoint's circuit (docs/reference/models-and-catalog.md#circuits). */
export interface CircuitState {
  readonly consecutiveFailures: number;
  /**
   * No call passes before this time. Null while closed. After it the circuit is half-open: one probe passes at a time.
   */
  readonly openUntilMs: number | null;
  /** When it opened. Probes that fail do not begin it anew. Null while closed. */
  readonly openSinceMs: number | null;
}

const FAILURES_TO_OPEN = 5;
const OPEN_MS = 30_000;
export const CLOSED_CIRCUIT: CircuitState = { consecutiveFailures: 0, openUntilMs: null, openSinceMs: null };

/** True where the plan leaves the endpoint out. */
export function isCircuitOpen(state: CircuitState, nowMs: number): boolean {
  return state.openUntilMs !== null && nowMs < state.openUntilMs;
}

/**
 * Asks to send one call, right before it is sent. A probe of a half-open circuit opens it again, so that a probe
 * without a reported outcome blocks the others for one more open time, not for ever.
 */
export function passCircuit(
  state: CircuitState,
  nowMs: number,
): { readonly passed: boolean; readonly state: CircuitState } {
  if (isCircuitOpen(state, nowMs)) return { passed: false, state };
  if (state.openUntilMs === null) return { passed: true, state };
  return { passed: true, state: { ...state, openUntilMs: nowMs + OPEN_MS } };
}

/** The state after a failure that counts for the circuit. */
export function circuitAfterFailure(state: CircuitState, nowMs: number): CircuitState {
  const consecutiveFailures = state.consecutiveFailures + 1;
  const opens = consecutiveFailures >= FAILURES_TO_OPEN;
  if (!opens) return { consecutiveFailures, openUntilMs: null, openSinceMs: null };
  return { consecutiveFailures, openUntilMs: nowMs + OPEN_MS, openSinceMs: state.openSinceMs ?? nowMs };
}

export function circuitAfterSuccess(): CircuitState {
  return CLOSED_CIRCUIT;
}
