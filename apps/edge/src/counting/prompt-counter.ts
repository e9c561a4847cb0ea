import { type PromptCount } from '@svc/catalog';
import { GatewayError } from '@svc/kernel';
import { type ParsedCall } from '@svc/protocol';
import { FairSlots } from '../fairness/fair-slots';
import { bytesForJob } from '../second-thread/large-body';
import { type SharedThread } from '../second-thread/shared-thread';

/** Counts that run or wait: the longest prompts take seconds each. */
const SLOTS = 64;

/**
 * Counts prompts with a real tokenizer, off the main thread
 * (docs/reference/inference-and-compatibility.md#counting-tokens), one at a time.
 */
export class PromptCounter {
  private readonly slots = new FairSlots(SLOTS);

  constructor(private readonly thread: SharedThread) {}

  /** True where the organization may queue one more prompt. */
  hasSlotFor(organizationId: string): boolean {
    return this.slots.hasSlotFor(organizationId);
  }

  /**
   * @param tokensMax beyond them the count is an estimate.
   * @throws GatewayError `overloaded` when the organization has too many prompts waiting.
   */
  async count(
    organizationId: string,
    { operation, bodyBytes }: Pick<ParsedCall, 'operation' | 'bodyBytes'>,
    tokensMax: number,
  ): Promise<PromptCount> {
    if (!this.hasSlotFor(organizationId)) throw tooManyCounts();
    const job = () => ({ operation, bytes: bytesForJob(bodyBytes), tokensMax });
    return this.slots.run(organizationId, () =>
      this.thread.run('count', organizationId, bodyBytes.byteLength, job),
    );
  }
}

export const tooManyCounts = (): GatewayError =>
  new GatewayError(
    'overloaded',
    'Too many prompts of your organization are being counted right now. Please retry.',
  );
