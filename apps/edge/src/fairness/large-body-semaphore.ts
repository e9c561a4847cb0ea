import { GatewayError } from '@svc/kernel';

/** Bounds of one organization's large bodies in this process. */
interface LargeBodyBounds {
  /** Bytes of all its large bodies in flight. One body of any size may exceed them. */
  readonly bytesMax: number;
  readonly waitingMax: number;
  readonly waitMsMax: number;
}

const BOUNDS: LargeBodyBounds = { bytesMax: 64 * 1024 * 1024, waitingMax: 32, waitMsMax: 30_000 };

/** Permits one large body to be in memory, from before it is read until its call has ended. */
export interface BodyPermit {
  /** Sets the length of a body without `content-length`, once it is whole. */
  setLength(byteCount: number): void;
  /** Idempotent. */
  release(): void;
}

/**
 * Bounds the bytes of large bodies that each organization has in this process, without a bound on any one body
 * (docs/reference/inference-and-compatibility.md#size). A body that exceeds the bound is admitted when no other does; else
 * it waits in order of arrival. See docs/decisions/0014.
 */
export class LargeBodySemaphore {
  private readonly semaphores = new Map<string, OrganizationSemaphore>();

  constructor(private readonly bounds = BOUNDS) {}

  /**
   * @param length bytes by `content-length`; null: unknown until the body is whole. One of those is read at a time.
   * @param disconnected ends the wait.
   * @throws GatewayError `overloaded` when too many of the organization's bodies wait, or this one waited too long.
   */
  acquire(organizationId: string, length: number | null, disconnected: AbortSignal): Promise<BodyPermit> {
    const semaphore =
      this.semaphores.get(organizationId) ??
      new OrganizationSemaphore(this.bounds, () => this.semaphores.delete(organizationId));
    this.semaphores.set(organizationId, semaphore);
    return semaphore.acquire(length, disconnected);
  }
}

interface Waiting {
  readonly length: number | null;
  begin(permit: BodyPermit): void;
}

class OrganizationSemaphore {
  private byteCount = 0;
  private hasOverflow = false;
  private readonly waiting: Waiting[] = [];

  constructor(
    private readonly bounds: LargeBodyBounds,
    private readonly onEmpty: () => void,
  ) {}

  async acquire(length: number | null, disconnected: AbortSignal): Promise<BodyPermit> {
    if (this.waiting.length === 0 && this.admits(length)) return this.admit(length);
    if (this.waiting.length >= this.bounds.waitingMax || disconnected.aborted) throw tooManyBodies();
    return this.wait(length, disconnected);
  }

  private fits(length: number | null): length is number {
    return length !== null && this.byteCount + length <= this.bounds.bytesMax;
  }

  private admits(length: number | null): boolean {
    return !this.hasOverflow || this.fits(length);
  }

  private admit(length: number | null): BodyPermit {
    let isOverflow = !this.fits(length);
    let size = length ?? 0;
    this.byteCount += size;
    this.hasOverflow ||= isOverflow;
    const resize = (byteCount: number): void => {
      this.byteCount += byteCount - size;
      size = byteCount;
      if (isOverflow && (size === 0 || this.byteCount <= this.bounds.bytesMax)) {
        isOverflow = false;
        this.hasOverflow = false;
      }
      this.admitWaiting();
    };
    return {
      setLength: resize,
      release: () => {
        if (isOverflow || size > 0) resize(0);
      },
    };
  }

  /** In order of arrival: no body overtakes a larger one. */
  private admitWaiting(): void {
    for (
      let [first] = this.waiting;
      first !== undefined && this.admits(first.length);
      [first] = this.waiting
    ) {
      this.waiting.shift();
      first.begin(this.admit(first.length));
    }
    if (this.byteCount === 0 && !this.hasOverflow) this.onEmpty();
  }

  private wait(length: number | null, disconnected: AbortSignal): Promise<BodyPermit> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        disconnected.removeEventListener('abort', giveUp);
      };
      const waiting: Waiting = {
        length,
        begin: (permit) => {
          end();
          resolve(permit);
        },
      };
      const giveUp = (): void => {
        end();
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(tooManyBodies());
        this.admitWaiting();
      };
      const timer = setTimeout(giveUp, this.bounds.waitMsMax);
      disconnected.addEventListener('abort', giveUp, { once: true });
      this.waiting.push(waiting);
    });
  }
}

const tooManyBodies = (): GatewayError =>
  new GatewayError(
    'overloaded',
    'Too many large bodies of your organization are in flight right now. Nothing was sent or charged. Please retry.',
  );
