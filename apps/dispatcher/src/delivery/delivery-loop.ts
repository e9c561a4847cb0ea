import { type ClaimedDelivery, type DeliverySchedule, type LeasedDelivery } from '@svc/persistence';
import { type Logger } from '@svc/platform';
import { type DeliveryAttempts } from './delivery-attempts';

export interface DeliveryLoopOptions {
  readonly schedule: Pick<DeliverySchedule, 'claim'>;
  readonly attempts: Pick<DeliveryAttempts, 'make'>;
  readonly logger: Logger;
  /** Attempts in flight of this process at most. */
  readonly attemptsMax?: number;
  /** How long attempts in flight may go on at the end. */
  readonly drainMs?: number;
}

const ATTEMPTS_MAX = 512;
const CLAIM_MAX = 128;
/** What is due and nobody called for, another process's events and retries that came due, waits no longer than this. */
const POLL_MS = 250;
/** Longer than the longest attempt and its settlement. */
const DRAIN_MS = 20_000;

/** Claims what is due while there is room for it, and sees each claim through to its end. */
export class DeliveryLoop {
  private readonly inFlight = new Map<string, Promise<void>>();
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;
  private isCalled = false;
  private continueNow: () => void = () => undefined;

  constructor(private readonly options: DeliveryLoopOptions) {}

  start(): void {
    this.running = this.run();
  }

  /** Something may be due: says so without waiting for the next look. */
  call(): void {
    this.isCalled = true;
    this.continueNow();
  }

  get inFlightCount(): number {
    return this.inFlight.size;
  }

  isInFlight(delivery: LeasedDelivery): boolean {
    return this.inFlight.has(keyOf(delivery));
  }

  /** Claims no more, and resolves when what is in flight is settled, or has had its time. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.call();
    await this.running;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.options.drainMs ?? DRAIN_MS);
    });
    await Promise.race([Promise.all(this.inFlight.values()), late]);
    clearTimeout(timer);
  }

  private async run(): Promise<void> {
    const { attemptsMax = ATTEMPTS_MAX } = this.options;
    while (!this.isStopping) {
      // Before the claim, so that a call that comes while it is made is not forgotten.
      this.isCalled = false;
      const room = Math.min(attemptsMax - this.inFlight.size, CLAIM_MAX);
      const claimed = room > 0 ? await this.claim(room) : [];
      for (const delivery of claimed) this.begin(delivery);
      if (claimed.length === 0) await this.pause();
    }
  }

  private async claim(room: number): Promise<readonly ClaimedDelivery[]> {
    try {
      return await this.options.schedule.claim(room);
    } catch (error) {
      this.options.logger.warn({ err: error }, 'no deliveries claimed; it will be tried again');
      return [];
    }
  }

  private begin(delivery: ClaimedDelivery): void {
    const attempt = this.options.attempts.make(delivery).finally(() => {
      this.inFlight.delete(keyOf(delivery));
      // Room in this process, and a free slot of the endpoint.
      this.call();
    });
    this.inFlight.set(keyOf(delivery), attempt);
  }

  private async pause(): Promise<void> {
    if (this.isCalled) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.continueNow = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** With its lease: a delivery that was lost can come back while its first attempt still ends. */
const keyOf = ({ id, leaseId }: LeasedDelivery): string => `${id} ${leaseId}`;
