import { LRUCache } from 'lru-cache';
import { refusalFor } from '@svc/persistence';

/**
 * How long an answer may be believed when no change is heard of: under the 30 s within which changes reach the edge
 * (interface.md, Limits: Key override propagation; contract.md section 7).
 */
const AGE_MAX_MS = 10_000;

/** Answers of the database, each asked for once however many calls want it, and believed until it changes. */
export class BelievedAnswers<T> {
  private readonly answers: LRUCache<string, { readonly answer: T; readonly era: number }>;
  /** Under way. One that is taken out of here still answers those who wait for it, but is not believed. */
  private readonly lookups = new Map<string, Promise<T>>();
  /** Answers of earlier eras are not believed. */
  private era = 0;

  constructor(answersMax: number) {
    // To look at the clock each time costs less than the timer with which the cache would spare it.
    this.answers = new LRUCache({ max: answersMax, ttl: AGE_MAX_MS, ttlResolution: 0 });
  }

  /**
   * At once where the answer stands, so that a call which finds all its answers waits for nothing.
   * @throws what `lookUp` throws, or `overloaded` where the database is away: that is no answer, and the next call asks
   * again.
   */
  of(key: string, lookUp: () => Promise<T>): T | Promise<T> {
    const believed = this.answers.get(key);
    if (believed?.era === this.era) return believed.answer;
    return this.lookups.get(key) ?? this.ask(key, lookUp);
  }

  forget(key: string): void {
    this.answers.delete(key);
    this.lookups.delete(key);
  }

  /** At once, however many there are: to clear 100 000 takes 50 ms, in which no call would be served. */
  forgetAll(): void {
    this.era++;
    this.lookups.clear();
  }

  private ask(key: string, lookUp: () => Promise<T>): Promise<T> {
    const isCurrent = () => this.lookups.get(key) === lookup;
    const lookup = lookUp().then(
      (answer) => {
        if (isCurrent()) {
          this.answers.set(key, { answer, era: this.era });
          this.lookups.delete(key);
        }
        return answer;
      },
      (error: unknown) => {
        if (isCurrent()) this.lookups.delete(key);
        throw refusalFor(error);
      },
    );
    this.lookups.set(key, lookup);
    return lookup;
  }
}
