import { CLOCK, type FineTuningDirective } from './fine-tuning-settings';

interface NewDedicatedEndpoint {
  readonly id: string;
  /** The name of the model in calls. */
  readonly name: string;
  readonly displayName: string;
  readonly model: string;
  readonly hardware: string;
  readonly createdAtMs: number;
  readonly directive: FineTuningDirective;
}

type State = 'PENDING' | 'STARTED' | 'STOPPING' | 'STOPPED' | 'ERROR';

const MS_PER_MINUTE = 60_000;

/** Machines that serve one model. Its state is a function of the orders that it was given, of its calls, and of the time. */
export class DedicatedEndpoint {
  private startOrderedAtMs: number | null = null;
  private stopOrderedAtMs: number | null = null;
  private lastCallAtMs: number | null = null;
  private ignoredStops = 0;

  constructor(
    readonly endpoint: NewDedicatedEndpoint,
    /** Null or 0: it never stops by itself. */
    public inactiveTimeout: number | null,
  ) {}

  /** True where the provider has lost it: some time after it has served. */
  isGone(nowMs: number): boolean {
    const { gone_after_ms: afterMs } = this.endpoint.directive;
    const startedAtMs = this.servesFromMs();
    return afterMs !== undefined && startedAtMs !== null && nowMs >= startedAtMs + afterMs;
  }

  start(nowMs: number): void {
    const state = this.state(nowMs);
    if (state === 'STARTED' || state === 'PENDING') return;
    this.startOrderedAtMs = nowMs;
    this.stopOrderedAtMs = null;
    this.lastCallAtMs = null;
  }

  stop(nowMs: number): void {
    if (this.startOrderedAtMs === null || this.stopOrderedAtMs !== null) return;
    const idleAtMs = this.idleAtMs();
    if (idleAtMs !== null && nowMs >= idleAtMs) return;
    if (this.ignoredStops++ < (this.endpoint.directive.ignored_stops ?? 0)) return;
    this.stopOrderedAtMs = nowMs;
  }

  /** A call reached it. @returns whether it is served. */
  call(nowMs: number): boolean {
    if (this.isGone(nowMs) || this.state(nowMs) !== 'STARTED') return false;
    this.lastCallAtMs = nowMs;
    return true;
  }

  state(nowMs: number): State {
    const fromMs = this.servesFromMs();
    if (this.startOrderedAtMs === null) return 'STOPPED';
    if (this.stopOrderedAtMs !== null) return nowMs < this.stoppedAtMs() ? 'STOPPING' : 'STOPPED';
    if (fromMs === null || nowMs < fromMs) return 'PENDING';
    if (this.endpoint.directive.endpoint === 'fails') return 'ERROR';
    const idleAtMs = this.idleAtMs();
    return idleAtMs !== null && nowMs >= idleAtMs ? 'STOPPED' : 'STARTED';
  }

  /** https://docs.together.ai/reference/getendpoint, with the times of the run. */
  present(nowMs: number) {
    const { id, name, displayName, model, hardware, createdAtMs } = this.endpoint;
    const state = this.state(nowMs);
    const fromMs = this.servesFromMs();
    const served = fromMs !== null && nowMs >= fromMs && state !== 'ERROR' && this.servedAtStop();
    return {
      object: 'endpoint' as const,
      id,
      name,
      display_name: displayName,
      model,
      hardware,
      type: 'dedicated' as const,
      owner: 'svc-simulator',
      state,
      inactive_timeout: this.inactiveTimeout,
      autoscaling: { min_replicas: 1, max_replicas: 1 },
      created_at: isoOf(createdAtMs),
      started_at: served ? isoOf(fromMs) : null,
      stopped_at: served && state === 'STOPPED' ? isoOf(this.stoppedAtMs()) : null,
    };
  }

  private servesFromMs(): number | null {
    if (this.startOrderedAtMs === null || this.endpoint.directive.endpoint === 'never_starts') return null;
    return this.startOrderedAtMs + (this.endpoint.directive.start_ms ?? CLOCK.start_ms);
  }

  /** True where it had started before it was ordered to stop. */
  private servedAtStop(): boolean {
    return this.stopOrderedAtMs === null || this.stopOrderedAtMs >= (this.servesFromMs() ?? Infinity);
  }

  private idleAtMs(): number | null {
    const fromMs = this.servesFromMs();
    if (fromMs === null || this.inactiveTimeout === null || this.inactiveTimeout === 0) return null;
    return Math.max(fromMs, this.lastCallAtMs ?? 0) + this.inactiveTimeout * MS_PER_MINUTE;
  }

  private stoppedAtMs(): number {
    if (this.stopOrderedAtMs === null) return this.idleAtMs() ?? Infinity;
    return this.stopOrderedAtMs + (this.endpoint.directive.stop_ms ?? CLOCK.stop_ms);
  }
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
