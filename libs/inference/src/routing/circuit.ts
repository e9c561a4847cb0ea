/** One endpoint's circuit (contract.md sections 6 and 11). */
export interface CircuitState {
  readonly consecutiveFailures: number;
  /** Until when calls are kept away; null while closed. Past it, one try at a time is let through. */
  readonly openUntilMs: number | null;
}

export const FAILURES_TO_OPEN = 5;
export const OPEN_MS = 30_000;
export const CLOSED_CIRCUIT: CircuitState = { consecutiveFailures: 0, openUntilMs: null };

/** Whether the plan leaves the endpoint out. */
export function isCircuitOpen(state: CircuitState, nowMs: number): boolean {
  return state.openUntilMs !== null && nowMs < state.openUntilMs;
}

/**
 * Asks to send one call, right before it is sent. The one try after the open time closes the door behind itself,
 * so that a try whose outcome is never reported holds the others up for another open time, not for ever.
 */
export function passCircuit(
  state: CircuitState,
  nowMs: number,
): { readonly passed: boolean; readonly state: CircuitState } {
  if (isCircuitOpen(state, nowMs)) return { passed: false, state };
  if (state.openUntilMs === null) return { passed: true, state };
  return { passed: true, state: { ...state, openUntilMs: nowMs + OPEN_MS } };
}

/** After a failure that counts; one that does not leaves the state as it is. */
export function circuitAfterFailure(state: CircuitState, nowMs: number): CircuitState {
  const consecutiveFailures = state.consecutiveFailures + 1;
  const opens = consecutiveFailures >= FAILURES_TO_OPEN;
  return { consecutiveFailures, openUntilMs: opens ? nowMs + OPEN_MS : null };
}

export function circuitAfterSuccess(): CircuitState {
  return CLOSED_CIRCUIT;
}
