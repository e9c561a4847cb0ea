import { type Logger } from '@svc/runtime/observability';

/** The identity of an attempt. */
interface Leased {
  readonly id: string;
  readonly leaseId: string;
}

interface DeliveryLoopOptions<T extends Leased> {
  readonly schedule: {
    /** Asked where no `wake` announced anything. */
    isDue(): Promise<boolean>;
    claimDeliveries(limit: number): Promise<readonly T[]>;
  };
  readonly attempts: { make(delivery: T): Promise<void> };
  readonly logger: Logger;
  /** The most attempts in flight in this process. */
  readonly attemptsMax?: number;
  /** How often it looks for deliveries that no `wake` announced. */
  readonly pollMs?: number;
  /** How long a shutdown waits for attempts in flight. */
  readonly drainMs?: number;
}

const ATTEMPTS_MAX = 512;
const CLAIM_MAX = 128;
/** Finds deliveries that no `wake` announced: retries that come due, and events that another process took. */
const POLL_MS = 250;
/** Longer than the longest attempt and its settlement. */
const DRAIN_MS = 20_000;

/** Claims due deliveries while there is room for them, and runs each claim to its end. */
export class DeliveryLoop<T extends Leased> {
  private readonly inFlight = new Map<string, Promise<void>>();
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;
  private isWoken = false;
  private continueNow: () => void = () => undefined;

  constructor(private readonly options: DeliveryLoopOptions<T>) {}

  start(): void {
    this.running = this.run();
  }

  /** Claims now, without waiting for the next poll. */
  wake(): void {
    this.isWoken = true;
    this.continueNow();
  }

  get inFlightCount(): number {
    return this.inFlight.size;
  }

  isInFlight(delivery: Leased): boolean {
    return this.inFlight.has(keyOf(delivery));
  }

  /** Stops claiming. Resolves when the attempts in flight are settled, or after `drainMs`. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.wake();
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
    let isAnnounced = false;
    while (!this.isStopping) {
      isAnnounced ||= this.isWoken;
      // Before the claim, so that a wake during the claim is not lost.
      this.isWoken = false;
      const room = Math.min(attemptsMax - this.inFlight.size, CLAIM_MAX);
      const claimed: readonly T[] = room > 0 ? await this.claim(room, isAnnounced) : [];
      for (const delivery of claimed) this.begin(delivery);
      // There may be more.
      isAnnounced = claimed.length > 0;
      if (!isAnnounced) await this.pause();
    }
  }

  private async claim(room: number, isAnnounced: boolean): Promise<readonly T[]> {
    const { schedule } = this.options;
    try {
      return isAnnounced || (await schedule.isDue()) ? await schedule.claimDeliveries(room) : [];
    } catch (error) {
      this.options.logger.warn({ err: error }, 'no deliveries claimed; it will be tried again');
      return [];
    }
  }

  private begin(delivery: T): void {
    const attempt = this.options.attempts.make(delivery).finally(() => {
      this.inFlight.delete(keyOf(delivery));
      // This frees room in this process, and a slot of the endpoint.
      this.wake();
    });
    this.inFlight.set(keyOf(delivery), attempt);
  }

  private async pause(): Promise<void> {
    if (this.isWoken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.options.pollMs ?? POLL_MS);
      this.continueNow = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Includes the lease: a lost delivery can be claimed again while its first attempt still runs. */
const keyOf = ({ id, leaseId }: Leased): string => `${id} ${leaseId}`;
