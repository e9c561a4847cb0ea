import { formatCount, formatPercent, formatPlural } from '../../../format/numbers';
import { type Grouping } from '../groups';
import { type Period } from '../period';
import { text as pageText, type GroupWords } from '../text';

const during: Readonly<Record<Period, string>> = {
  today: 'today',
  '7d': 'in 7 days',
  '30d': 'in 30 days',
  '90d': 'in 90 days',
};

/** The words of the page, and those of what stands below its cards. */
export const text = {
  ...pageText,
  spend: {
    title: pageText.spendTitle,
    finding: (period: Period, total: string, top: { name: string; amount: string; share: number } | null) =>
      top === null
        ? `${total} ${during[period]}.`
        : `${total} ${during[period]}, the most of it, ${top.amount} (${formatPercent(top.share)}), for ${top.name}.`,
    nothingSpent: (period: Period) => `Nothing was spent ${during[period]}.`,
    byHour: 'By the hour in which calls ended.',
    onlyToday: 'Only today (UTC) has calls: by the hour in which they ended.',
  },
  /** Only calls that name an end user have sums by one. */
  endUsers: {
    total: 'Total of calls with an end user',
    nothing: 'No calls with an end user in this period.',
    note: 'Only calls that name an end user. “(other)” sums the end users beyond the daily limit.',
    finding: (period: Period, total: string, top: { name: string; amount: string; share: number } | null) =>
      top === null
        ? `${total} ${during[period]} for calls with an end user.`
        : `${total} ${during[period]} for calls with an end user, the most of it, ${top.amount} (${formatPercent(top.share)}), for ${top.name}.`,
    nothingSpent: (period: Period) => `Nothing was spent ${during[period]} for calls with an end user.`,
  },
  calls: {
    title: { day: 'Calls by day', hour: 'Calls by hour' },
    succeeded: 'Answered',
    cancelled: 'Cancelled',
    failed: 'Failed',
    finding: (total: number, failed: number, worst: string | null) =>
      failed === 0
        ? `${formatPlural(total, 'call')}, none failed.`
        : `${formatPlural(total, 'call')}, ${formatCount(failed)} failed (${formatPercent(failed / total)})${worst === null ? '' : `, most of them on ${worst}`}.`,
  },
  failures: {
    title: 'Last failed calls',
    all: 'All failed calls',
    none: 'No failed calls in this period.',
    older: 'None among the newest calls.',
    gone: 'Their records are no longer kept.',
    columns: { reason: 'Reason', time: 'Time', model: 'Model', key: 'Key' },
    unknown: 'Unknown',
  },
  latency: {
    firstToken: { day: 'Time to first token by day', hour: 'Time to first token by hour' },
    duration: { day: 'Duration by day', hour: 'Duration by hour' },
    finding: (p50: string, p95: string) => `Half of the calls took at most ${p50}, 95 % at most ${p95}.`,
    long: 'Latency and refusals are available for up to 31 days.',
    ofEndUser: 'Latency and refusals are not available by end user.',
  },
  place: { day: 'Day', hour: 'Hour' },
  table: {
    title: (group: GroupWords) => `By ${group.one.toLowerCase()}`,
    caption: (group: GroupWords) => `Usage by ${group.one.toLowerCase()}`,
    spend: 'Spend',
    share: 'Share',
    calls: 'Calls',
    failed: 'Failed',
    input: 'Tokens in',
    output: 'Tokens out',
    inputHint: 'Including cached tokens',
    cached: 'Cached',
    cachedHint: 'Share of the input tokens that the provider read from its cache',
    firstToken: 'First token',
    duration: 'Duration',
    timesHint: 'Median and 95th percentile',
    showAll: 'Show all',
    showTop: 'Show top 10',
    csv: 'Download CSV',
    saved: (rows: number) => `The file has ${formatPlural(rows, 'row')}.`,
    nothing: 'No calls in this period.',
  },
  csv: {
    name: (period: string, group: Grouping) => `usage-${period}-by-${group.replace('_', '-')}.csv`,
  },
  budgets: {
    title: 'Nearest budgets',
    spent: 'of',
    meter: (name: string, spent: string, amount: string, share: number) =>
      `${name}: spent ${spent} of ${amount} (${formatPercent(share)})`,
    warns: (share: number) => `warns at ${formatPercent(share)}`,
    resets: 'resets',
    blocks: 'Blocking calls',
    over: 'Over',
    some: 'Among the 100 newest budgets.',
    none: 'No enabled budgets.',
    lag: 'Up to 60 s behind.',
  },
  attention: {
    title: 'Needs attention',
    incident: (title: string) => `Incident: ${title}`,
    blocks: (budget: string) => `The budget ${budget} blocks calls.`,
    raise: 'Raise it',
    refused: (count: number) => `Refused in the last 24 hours: ${formatPlural(count, 'call')}.`,
    firing: (count: number, hasMore: boolean) =>
      hasMore
        ? `More than ${formatCount(count)} alerts are firing.`
        : count === 1
          ? '1 alert is firing.'
          : `${formatCount(count)} alerts are firing.`,
    disabled: (count: number) =>
      `${formatPlural(count, 'webhook endpoint')} disabled after repeated failures.`,
    failing: (count: number) => `${formatPlural(count, 'webhook endpoint')} failing.`,
  },
} as const;
