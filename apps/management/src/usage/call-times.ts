import { percentileOf, TIME_BOUNDS } from '@svc/usage';
import { type CountedTimes, type UsageGroup } from '@svc/usage/store';

/** Milliseconds. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** How long calls took, by group and in all. */
export class CallTimes {
  private readonly groups = new Map<string, number[]>();
  private readonly all = noTimes();

  add(counted: readonly CountedTimes[]): void {
    for (const { bounds, counts, ...group } of counted) {
      const key = keyOf(group);
      const times = this.groups.get(key) ?? noTimes();
      for (const [at, bound] of bounds.entries()) {
        const count = counts[at] ?? 0;
        times[bound] = (times[bound] ?? 0) + count;
        this.all[bound] = (this.all[bound] ?? 0) + count;
      }
      this.groups.set(key, times);
    }
  }

  /** Null where no call was timed. */
  of(group: UsageGroup): Percentiles | null {
    return percentiles(this.groups.get(keyOf(group)) ?? []);
  }

  ofAll(): Percentiles | null {
    return percentiles(this.all);
  }
}

const noTimes = (): number[] => new Array<number>(TIME_BOUNDS).fill(0);

const keyOf = ({ hour, day, model, project, apiKey, provider, isOther }: UsageGroup): string =>
  JSON.stringify([hour?.getTime(), day, model, project, apiKey, provider, isOther]);

function percentiles(counts: readonly number[]): Percentiles | null {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentileOf(counts, share));
  return p50 == null || p95 == null || p99 == null ? null : { p50, p95, p99 };
}
