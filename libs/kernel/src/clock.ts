/** The source of the time. It is injected: no rule reads the system clock. */
export interface Clock {
  /** Milliseconds since 1970 UTC. */
  now(): number;
}
