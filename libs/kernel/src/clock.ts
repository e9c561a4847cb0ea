/** Where the time comes from. Injected: no rule of the product reads a clock by itself. */
export interface Clock {
  /** Milliseconds since 1970 UTC. */
  now(): number;
}
