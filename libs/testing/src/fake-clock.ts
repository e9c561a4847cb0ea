import { type Clock } from '@svc/kernel';

/** A clock that only the test moves. Milliseconds since 1970 UTC. */
export class FakeClock implements Clock {
  constructor(private nowMs: number = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.nowMs;
  }

  /** Moves the clock. A negative number sets it back, as may happen to real clocks. */
  advance(ms: number): void {
    this.nowMs += ms;
  }
}
