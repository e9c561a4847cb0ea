import {
  circuitAfterFailure,
  circuitAfterSuccess,
  CLOSED_CIRCUIT,
  isCircuitOpen,
  passCircuit,
  type CircuitState,
} from '@svc/inference';
import { type Clock } from '@svc/kernel';

const NONE: ReadonlySet<string> = new Set();

/** The circuits of this process's model endpoints, by endpoint id (docs/reference/models-and-catalog.md#circuits). */
export class Circuits {
  private readonly states = new Map<string, CircuitState>();

  constructor(private readonly clock: Clock) {}

  /** The ids of endpoints that a plan leaves out. */
  open(): ReadonlySet<string> {
    if (this.states.size === 0) return NONE;
    const now = this.clock.now();
    return new Set([...this.states].filter(([, state]) => isCircuitOpen(state, now)).map(([id]) => id));
  }

  /** Whether a call may be sent now; a half-open circuit passes one trial call only. */
  pass(id: string): boolean {
    const { passed, state } = passCircuit(this.stateOf(id), this.clock.now());
    if (state !== CLOSED_CIRCUIT) this.states.set(id, state);
    return passed;
  }

  succeeded(id: string): void {
    if (this.states.has(id)) this.states.set(id, circuitAfterSuccess());
  }

  failed(id: string): void {
    this.states.set(id, circuitAfterFailure(this.stateOf(id), this.clock.now()));
  }

  private stateOf(id: string): CircuitState {
    return this.states.get(id) ?? CLOSED_CIRCUIT;
  }
}
