import { type PromptCount } from '@svc/inference';
import { GatewayError } from '@svc/kernel';
import { type JobThread } from '../parsing/second-thread';
import { FairPlaces } from './fair-places';
import { FairTurns } from './fair-turns';

/** Counts that are made or wait: the longest prompts take seconds each. */
const PLACES = 64;

/**
 * Counts prompts with a real tokenizer, away from the request's thread (contract.md section 10): one at a time, the
 * organizations by turns.
 */
export class PromptCounter {
  private readonly places = new FairPlaces(PLACES);
  private readonly turns = new FairTurns();

  constructor(private readonly thread: JobThread) {}

  /** Whether one more prompt of the organization may wait. */
  hasRoomFor(organizationId: string): boolean {
    return this.places.hasRoomFor(organizationId);
  }

  /**
   * @param body of a call that was parsed; it stays the caller's.
   * @param contextWindow tokens: beyond them the count is an estimate.
   * @throws GatewayError `overloaded` when the organization has its share of waiting prompts.
   */
  async count(organizationId: string, body: Uint8Array, contextWindow: number): Promise<PromptCount> {
    if (!this.hasRoomFor(organizationId)) throw tooManyCounts();
    return this.places.during(organizationId, () =>
      this.turns.take(organizationId, () =>
        this.thread.run('count', { bytes: new Uint8Array(body), tokensMax: contextWindow }),
      ),
    );
  }
}

export const tooManyCounts = (): GatewayError =>
  new GatewayError(
    'overloaded',
    'Too many prompts of your organization are being counted right now. Please retry.',
  );
