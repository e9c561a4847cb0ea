import { Inject, Injectable } from '@nestjs/common';
import { type Caller } from '@svc/api';
import { GatewayError, type Clock } from '@svc/kernel';
import { RefusalSummaries, type RefusalQuery, type RefusalRow } from '@svc/usage/store';
import { CLOCK } from '../runtime';
import { hoursTouched, type HourRange } from '../usage/usage-range';

interface RefusalQuestion extends Omit<RefusalQuery, 'organizationId' | keyof HourRange> {
  readonly start?: Date | undefined;
  readonly end?: Date | undefined;
}

export interface RefusalSummary extends HourRange {
  readonly rows: readonly RefusalRow[];
}

const ROWS_MAX = 10_000;

/** Sums of an organization's refused calls. */
@Injectable()
export class Refusals {
  constructor(
    private readonly summaries: RefusalSummaries,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * A project's key sees only what was refused in its project.
   * @throws GatewayError `invalidRequest` for an invalid range, and for more groups than one answer holds.
   */
  async summarize(
    { organizationId, projectId: own }: Caller,
    { start, end, ...question }: RefusalQuestion,
  ): Promise<RefusalSummary> {
    const hours = hoursTouched({ start, end }, this.clock.now());
    const projectId = question.projectId ?? own ?? undefined;
    if (own !== null && projectId !== own) return { ...hours, rows: [] };
    const query = { ...question, ...hours, organizationId, projectId };
    const rows = await this.summaries.summarize(query, ROWS_MAX);
    if (rows.length <= ROWS_MAX) return { ...hours, rows };
    throw new GatewayError(
      'invalidRequest',
      `The answer would have more than ${String(ROWS_MAX)} rows. Narrow the range, filter, or group by fewer fields.`,
      { param: 'group_by' },
    );
  }
}
