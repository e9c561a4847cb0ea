import { type Clock } from '@svc/kernel';

/** A clock that stands still until a test moves it. Milliseconds since 1970 UTC. */
export class FakeClock implements Clock {
  constructor(private nowMs: number = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.nowMs;
  }

  /** Moves on, or back by a negative number, as real clocks may. */
  advance(ms: number): void {
    this.nowMs += ms;
  }
}
