import { Inject, Injectable } from '@nestjs/common';
import { type Caller } from '@svc/api';
import { GatewayError, type Clock } from '@svc/kernel';
import { type EndUserPeppers } from '@svc/ledger/store';
import {
  isTimeGrouping,
  MinuteUsage,
  UsageStore,
  type UsageCounts,
  type UsageGroup,
  type UsageQuery,
  type UsageRow,
} from '@svc/usage/store';
import { CLOCK, END_USERS } from '../runtime';
import { CallTimes } from './call-times';
import { readableUsage, type UsageQuestion } from './usage-question';
import { dateOfDay, startOfDay, startOfHour } from './usage-range';

export interface UsageSummary {
  /** As the range is shown: days as dates, hours as times. */
  readonly start: string;
  readonly end: string;
  readonly rows: readonly UsageRow[];
  readonly total: UsageCounts;
  /** Null where they were not asked for. */
  readonly times: UsageTimes | null;
  /** Of the end users in the rows, by their ids. */
  readonly endUserNames: ReadonlyMap<string, string>;
}

interface UsageTimes {
  readonly durations: CallTimes;
  readonly timesToFirstToken: CallTimes;
}

/** A range of usage, and what sums it up. */
interface Reading {
  readonly start: string;
  readonly end: string;
  /** Of calls that ended between these. */
  readonly ended: { readonly start: Date; readonly end: Date };
  summarize(query: UsageQuery, rowsMax: number): Promise<readonly UsageRow[]>;
}

const ROWS_MAX = 10_000;
const PIECE_MS = 2 * 24 * 3_600_000;

/** Sums of an organization's usage. */
@Injectable()
export class Usage {
  constructor(
    private readonly days: UsageStore,
    private readonly minutes: MinuteUsage,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(END_USERS) private readonly endUsers: EndUserPeppers,
  ) {}

  /**
   * A project's key sees only its project's usage.
   * @throws GatewayError `invalidRequest` for an invalid range, for what is not counted together, and for more groups than one
   * answer holds.
   */
  async summarize(caller: Caller, question: UsageQuestion): Promise<UsageSummary> {
    const reading = this.readingOf(question);
    const { start, end } = reading;
    const query = await this.queryOf(caller, question, reading);
    const rows = query === null ? [] : await reading.summarize(query, ROWS_MAX);
    if (rows.length > ROWS_MAX) {
      throw new GatewayError(
        'invalidRequest',
        `The answer would have more than ${String(ROWS_MAX)} rows. Narrow the range, filter, or group by fewer fields.`,
        { param: 'group_by' },
      );
    }
    const times = question.withTimes ? await this.timesOf(query, reading) : null;
    const endUserNames = await this.namesIn(caller, rows);
    return { start, end, rows, total: rows.reduce(addCounts, NOTHING), times, endUserNames };
  }

  private async namesIn(
    { organizationId }: Caller,
    rows: readonly UsageRow[],
  ): Promise<ReadonlyMap<string, string>> {
    const ids = new Set(rows.flatMap(({ endUserId }) => endUserId ?? []));
    return ids.size === 0 ? new Map() : this.days.namesOf(organizationId, [...ids]);
  }

  /** Days are exact. Hours come from the sums by the minute. */
  private readingOf(question: UsageQuestion): Reading {
    const range = readableUsage(question, this.clock.now());
    if (range.unit === 'hour') {
      const [start, end] = [startOfHour(range.first), startOfHour(range.end)];
      const ended = { start: new Date(start), end: new Date(end) };
      const summarize: Reading['summarize'] = (query, rowsMax) =>
        this.minutes.summarize({ ...query, ...ended }, rowsMax);
      return { start, end, ended, summarize };
    }
    const days = { firstDay: range.first, endDay: range.end };
    return {
      start: dateOfDay(days.firstDay),
      end: dateOfDay(days.endDay),
      ended: { start: startOfDay(days.firstDay), end: startOfDay(days.endDay) },
      summarize: (query, rowsMax) => this.days.summarize({ ...query, ...days }, rowsMax),
    };
  }

  /** Null where the caller may see nothing of it. */
  private async queryOf(
    { organizationId, projectId: own }: Caller,
    question: UsageQuestion,
    { summarize }: Reading,
  ): Promise<UsageQuery | null> {
    const projectId = question.projectId ?? own ?? undefined;
    if (own !== null && projectId !== own) return null;
    const { groupBy, apiKeyIds, model, provider, tag, top, endUser } = question;
    const endUserId = endUser && (await this.endUsers.idOf(organizationId, endUser));
    const query = { organizationId, groupBy, projectId, apiKeyIds, model, provider, tag, endUserId };
    if (top === undefined) return query;
    const named = groupBy.filter((grouping) => !isTimeGrouping(grouping));
    const among: readonly UsageGroup[] = await summarize({ ...query, groupBy: named }, top);
    return { ...query, among: among.slice(0, top) };
  }

  private async timesOf(query: UsageQuery | null, { ended }: Reading): Promise<UsageTimes> {
    const times = { durations: new CallTimes(), timesToFirstToken: new CallTimes() };
    if (query === null) return times;
    for (const piece of pieces(ended)) {
      const [durations, timesToFirstToken] = await Promise.all([
        this.minutes.durations({ ...query, ...piece }),
        this.minutes.timesToFirstToken({ ...query, ...piece }),
      ]);
      times.durations.add(durations);
      times.timesToFirstToken.add(timesToFirstToken);
    }
    return times;
  }
}

/** A statement of a caller may run for 3.5 s, and adding up histograms is the dearest: of a long range it is done in pieces. */
function* pieces({ start, end }: Reading['ended']): Iterable<Reading['ended']> {
  for (let fromMs = start.getTime(); fromMs < end.getTime(); fromMs += PIECE_MS) {
    yield { start: new Date(fromMs), end: new Date(Math.min(fromMs + PIECE_MS, end.getTime())) };
  }
}

const NOTHING: UsageCounts = {
  requests: 0n,
  failed: 0n,
  cancelled: 0n,
  inputTokens: 0n,
  cachedInputTokens: 0n,
  cacheWriteTokens: 0n,
  outputTokens: 0n,
  reasoningTokens: 0n,
  customerNanos: 0n,
  providerNanos: 0n,
};

const addCounts = (a: UsageCounts, b: UsageCounts): UsageCounts => ({
  requests: a.requests + b.requests,
  failed: a.failed + b.failed,
  cancelled: a.cancelled + b.cancelled,
  inputTokens: a.inputTokens + b.inputTokens,
  cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
  cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  customerNanos: a.customerNanos + b.customerNanos,
  providerNanos: a.providerNanos + b.providerNanos,
});
