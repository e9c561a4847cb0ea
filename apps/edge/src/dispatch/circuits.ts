import {
  circuitAfterFailure,
  circuitAfterSuccess,
  CLOSED_CIRCUIT,
  isCircuitOpen,
  passCircuit,
  type CircuitState,
} from '@svc/policy';
import { type Clock } from '@svc/kernel';

/** The facts of a circuit that others are told. */
export interface CircuitFacts {
  readonly endpointId: string;
  /** Null while it is closed. */
  readonly openSinceMs: number | null;
  /** When a trial call may pass. Null while it is closed. */
  readonly openUntilMs: number | null;
  readonly plannedAtMs: number;
}

/** The circuits of this process's model endpoints, by endpoint id (docs/reference/models-and-catalog.md#circuits). */
export class Circuits {
  private readonly states = new Map<string, CircuitState>();
  private readonly plannedAt = new Map<string, number>();
  private onChange: () => void = () => undefined;

  constructor(private readonly clock: Clock) {}

  /**
   * The ids of endpoints that a plan leaves out. A plan asks for an endpoint that nothing else rules out, so this notes that it
   * was planned with.
   */
  readonly openForPlan: Pick<ReadonlySet<string>, 'has'> = {
    has: (id) => {
      this.plannedAt.set(id, this.clock.now());
      return this.isOpen(id);
    },
  };

  isOpen(id: string): boolean {
    const state = this.states.get(id);
    return state !== undefined && isCircuitOpen(state, this.clock.now());
  }

  /** True where a call may be sent now; a half-open circuit passes one trial call only. */
  pass(id: string): boolean {
    const { passed, state } = passCircuit(this.stateOf(id), this.clock.now());
    if (state !== CLOSED_CIRCUIT) this.states.set(id, state);
    return passed;
  }

  succeeded(id: string): void {
    if (this.states.has(id)) this.become(id, circuitAfterSuccess());
  }

  failed(id: string): void {
    this.become(id, circuitAfterFailure(this.stateOf(id), this.clock.now()));
  }

  /** @param onChange is called when a circuit opens, and when a success closes it. */
  watch(onChange: () => void): void {
    this.onChange = onChange;
  }

  /** Of all endpoints that were planned with. */
  facts(): readonly CircuitFacts[] {
    return [...this.plannedAt].map(([endpointId, plannedAtMs]) => {
      const { openSinceMs, openUntilMs } = this.stateOf(endpointId);
      return { endpointId, openSinceMs, openUntilMs, plannedAtMs };
    });
  }

  private become(id: string, state: CircuitState): void {
    const before = this.stateOf(id);
    this.states.set(id, state);
    if (before.openSinceMs !== state.openSinceMs) this.onChange();
  }

  private stateOf(id: string): CircuitState {
    return this.states.get(id) ?? CLOSED_CIRCUIT;
  }
}
