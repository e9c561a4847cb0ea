import { Inject, Injectable } from '@nestjs/common';
import { type Caller } from '@svc/api';
import { GatewayError, type Clock } from '@svc/kernel';
import { UsageStore, type UsageCounts, type UsageQuery, type UsageRow } from '@svc/persistence';
import { CLOCK } from '../runtime';
import { daysTouched, type DayRange } from './usage-range';

interface UsageQuestion extends Omit<UsageQuery, 'organizationId' | keyof DayRange> {
  readonly start?: Date | undefined;
  readonly end?: Date | undefined;
}

export interface UsageSummary extends DayRange {
  readonly rows: readonly UsageRow[];
  readonly total: UsageCounts;
}

const ROWS_MAX = 10_000;

/** Sums of an organization's usage. */
@Injectable()
export class Usage {
  constructor(
    private readonly store: UsageStore,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * A project's key sees only its project's usage.
   * @throws GatewayError `invalidRequest` for an invalid range, and for more groups than one answer holds.
   */
  async summarize(caller: Caller, { start, end, ...question }: UsageQuestion): Promise<UsageSummary> {
    const days = daysTouched({ start, end }, this.clock.now());
    const rows = await this.rowsFor(caller, { ...question, ...days });
    if (rows.length > ROWS_MAX) {
      throw new GatewayError(
        'invalidRequest',
        `The answer would have more than ${String(ROWS_MAX)} rows. Narrow the range, filter, or group by fewer fields.`,
        { param: 'group_by' },
      );
    }
    return { ...days, rows, total: rows.reduce(addCounts, NOTHING) };
  }

  private async rowsFor(
    { organizationId, projectId: own }: Caller,
    query: Omit<UsageQuery, 'organizationId'>,
  ): Promise<readonly UsageRow[]> {
    const projectId = query.projectId ?? own ?? undefined;
    if (own !== null && projectId !== own) return [];
    return this.store.summarize({ ...query, organizationId, projectId }, ROWS_MAX);
  }
}

const NOTHING: UsageCounts = {
  requests: 0n,
  inputTokens: 0n,
  cachedInputTokens: 0n,
  cacheWriteTokens: 0n,
  outputTokens: 0n,
  reasoningTokens: 0n,
  customerNanos: 0n,
};

const addCounts = (a: UsageCounts, b: UsageCounts): UsageCounts => ({
  requests: a.requests + b.requests,
  inputTokens: a.inputTokens + b.inputTokens,
  cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
  cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  customerNanos: a.customerNanos + b.customerNanos,
});
