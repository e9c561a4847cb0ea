import { GatewayError } from '@svc/kernel';
import { isTimeGrouping, type UsageQuery } from '@svc/usage/store';
import { daysTouched, hoursTouched } from './usage-range';

export interface UsageQuestion extends Omit<UsageQuery, 'organizationId' | 'among' | 'endUserId'> {
  /** An end user, by the id or the name. */
  readonly endUser?: string | undefined;
  readonly start?: Date | undefined;
  readonly end?: Date | undefined;
  /** How many groups are named: the most expensive ones. All others are one. */
  readonly top?: number | undefined;
  /** True where percentiles of the calls' times are wanted. */
  readonly withTimes: boolean;
}

/** UTC hours or days since 1970; the first is included, the end is not. */
interface UnitRange {
  readonly unit: 'hour' | 'day';
  readonly first: number;
  readonly end: number;
}

/** As long as the sums by the minute are of use to a chart: they are kept a little longer. */
const MINUTES_DAYS_MAX = 31;

/**
 * The range that is asked for.
 * @throws GatewayError `invalidRequest` for an invalid one, and for what is not counted together.
 */
export function readableUsage(question: UsageQuestion, nowMs: number): UnitRange {
  const { groupBy, top, withTimes } = question;
  const isByHour = groupBy.includes('hour');
  if (isByHour && groupBy.includes('day')) refuse('`group_by` takes one of `hour` and `day`.', 'group_by');
  if (top !== undefined && groupBy.every(isTimeGrouping)) {
    refuse('`top` needs something else than a time in `group_by`.', 'top');
  }
  if (isByHour || withTimes) refuseTags(question);
  refuseBesideEndUsers(question);
  if (isByHour) {
    const { firstHour, endHour } = hoursTouched(question, nowMs);
    return { unit: 'hour', first: firstHour, end: endHour };
  }
  const { firstDay, endDay } = daysTouched(question, nowMs, withTimes ? MINUTES_DAYS_MAX : undefined);
  return { unit: 'day', first: firstDay, end: endDay };
}

function refuseTags({ groupBy, tag }: UsageQuestion): void {
  const message = 'Hours and latency are not counted by tag.';
  if (groupBy.includes('tag')) refuse(message, 'group_by');
  if (tag !== undefined) refuse(message, 'tag');
}

/** The usage of end users is summed by day and project, and by nothing else. */
function refuseBesideEndUsers(question: UsageQuestion): void {
  const { groupBy, endUser, withTimes } = question;
  if (endUser === undefined && !groupBy.includes('end_user')) return;
  const other = groupBy.find((grouping) => !['day', 'project', 'end_user'].includes(grouping));
  if (other !== undefined) {
    refuse(`The usage of end users is not counted by ${other}: only by \`day\` and \`project\`.`, 'group_by');
  }
  if (withTimes) refuse('Latency is not counted by end user.', 'include');
  const filters = {
    api_key_id: question.apiKeyIds,
    model: question.model,
    provider: question.provider,
    tag: question.tag,
  };
  const [filter] = Object.entries(filters).find(([, value]) => value !== undefined) ?? [];
  if (filter !== undefined) refuse('The usage of end users is not counted by this.', filter);
}

function refuse(message: string, param: string): never {
  throw new GatewayError('invalidRequest', message, { param });
}
