import { refusalWords } from '../../calls/outcome-words';
import { lazily } from '../../format/lazily';
import { formatCount, formatPercent } from '../../format/numbers';
import { type Grouping } from './groups';
import { type Period } from './period';

export interface GroupWords {
  /** Its name as a choice and as a header. */
  readonly one: string;
  readonly none: string;
}

const groups: Readonly<Record<Grouping, GroupWords>> = {
  model: { one: 'Model', none: 'No model' },
  project: { one: 'Project', none: 'No project' },
  api_key: { one: 'Key', none: 'No key' },
  provider: { one: 'Provider', none: 'No provider answered' },
  end_user: { one: 'End user', none: 'No end user' },
};

const before: Readonly<Record<Period, string>> = {
  today: 'yesterday',
  '7d': 'the 7 days before',
  '30d': 'the 30 days before',
  '90d': 'the 90 days before',
};
const parallel = lazily(() => new Intl.ListFormat('en-US', { type: 'unit' }));
const signed = (share: number): string =>
  share < 0 ? `\u2212${formatPercent(-share)}` : `+${formatPercent(share)}`;

export const text = {
  title: 'Overview',
  purpose: 'What calls cost, whether they work, and how fast they are. Sums are by UTC day.',
  period: 'Period',
  periods: {
    today: 'Today (UTC)',
    '7d': '7 days',
    '30d': '30 days',
    '90d': '90 days',
  } satisfies Record<Period, string>,
  groupBy: 'Group by',
  groups,
  other: 'Other',
  total: 'Total',
  project: 'Project',
  allProjects: 'All projects',
  endUser: 'End user',
  endUserHint: 'The name or the id of an end user, then Enter.',
  filters: 'Filters',
  byGroup: (group: GroupWords) => `By ${group.one.toLowerCase()}`,
  summary: 'Summary',
  cards: {
    spend: 'Spend',
    calls: 'Calls',
    errors: 'Error rate',
    firstToken: 'Time to first token',
    duration: 'Duration',
    refused: 'Refused',
    wallet: 'Wallet',
  },
  failedOf: (failed: number, cancelled: number) =>
    cancelled === 0
      ? `${formatCount(failed)} failed`
      : `${formatCount(failed)} failed, ${formatCount(cancelled)} cancelled`,
  change: (share: number, period: Period) => `${signed(share)} against ${before[period]}`,
  ownAccounts: 'From the wallet. On own accounts:',
  noneBefore: (period: Period) => `None ${period === 'today' ? 'yesterday' : `in ${before[period]}`}`,
  instead: (value: string, period: Period) =>
    period === 'today' ? `Yesterday ${value}` : `${value} in ${before[period]}`,
  percentiles: { p50: 'median', p95: 'p95' },
  notTimed: 'No data.',
  refusals: (parts: readonly (readonly [code: string, count: number])[]) =>
    parallel().format(parts.map(([code, count]) => `${refusalWords(code)} ${formatCount(count)}`)),
  noRefusals: 'No refused calls.',
  available: 'available',
  days: (days: string) => `${days} left at the pace of the last 7 days.`,
  noPace: 'Nothing was spent in the last 7 days.',
  empty: 'Calls are refused until credit is added.',
  spendTitle: { day: 'Spend by day', hour: 'Spend by hour' },
} as const;
