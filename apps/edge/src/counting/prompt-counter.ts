import { type PromptCount } from '@svc/inference';
import { GatewayError } from '@svc/kernel';
import { type JobThread } from '../parsing/second-thread';

/** Counts that may wait for the second thread: it makes one at a time, and the longest prompts take it seconds. */
const WAITING_MAX = 64;

/** Counts prompts with a real tokenizer, away from the request's thread (contract.md section 10). */
export class PromptCounter {
  private waiting = 0;

  constructor(private readonly thread: JobThread) {}

  /** Whether as many prompts wait as may. */
  get isFull(): boolean {
    return this.waiting >= WAITING_MAX;
  }

  /**
   * @param body of a call that was parsed; it stays the caller's.
   * @param contextWindow tokens: beyond them the count is an estimate.
   * @throws GatewayError `overloaded` when too many prompts wait to be counted.
   */
  async count(body: Uint8Array, contextWindow: number): Promise<PromptCount> {
    if (this.isFull) {
      throw new GatewayError('overloaded', 'Too many prompts are being counted right now. Please retry.');
    }
    this.waiting++;
    try {
      return await this.thread.run('count', { bytes: new Uint8Array(body), tokensMax: contextWindow });
    } finally {
      this.waiting--;
    }
  }
}
