import { type BudgetStanding } from '../../calls/budget-standing';
import { formatCount, formatPercent } from '../../format/numbers';
import { limitWords } from '../../calls/text';
import { type Action, type Period, type Scope } from './budget';

export const periodWords: Readonly<Record<Period, string>> = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  quarter: 'Quarter',
  session: 'Session',
};
export const actionWords: Readonly<Record<Action, string>> = { block: 'Blocks', warn: 'Warns' };
export const standingWords: Readonly<Record<BudgetStanding, string>> = {
  disabled: 'Disabled',
  session: limitWords.eachSession,
  each: limitWords.each,
  within: 'OK',
  warning: 'Warning',
  over: 'Over',
  blocking: 'Blocking calls',
};

const periodsOf: Readonly<
  Record<Exclude<Period, 'session'>, { readonly one: string; readonly many: string }>
> = {
  day: { one: 'day', many: 'days' },
  week: { one: 'week', many: 'weeks' },
  month: { one: 'month', many: 'months' },
  quarter: { one: 'quarter', many: 'quarters' },
};

/** `2 of the last 6 months`; of none reached, `the last 6 months`. */
function lastPeriods(reached: number, of: number, period: Exclude<Period, 'session'>): string {
  const { one, many } = periodsOf[period];
  const last = `the last ${of === 1 ? one : `${formatCount(of)} ${many}`}`;
  return reached === 0 || of === 1 ? last : `${formatCount(reached)} of ${last}`;
}

export const text = {
  title: 'Budgets',
  purpose: 'Limit spend per day, week, month, quarter or session. Spend is up to 60 s behind.',
  caption: 'Budgets',
  what: 'budgets',
  create: 'Create budget',
  emptyTitle: 'No budgets yet',
  empty:
    'A budget limits what the organization, a project, a key, a member, a model or an end user spends. It warns or blocks calls.',
  columns: {
    name: 'Name',
    scope: 'Scope',
    spent: 'Spent',
    standing: 'State',
    resets: 'Resets',
  },
  filters: {
    scope: 'Scope',
    whose: 'Applies to',
    project: 'Project',
    enabled: 'Enabled',
    key: 'Applies to key',
    end_user: 'Applies to end user',
  },
  yes: 'Yes',
  no: 'No',
  keyHint: 'Includes budgets of the key, its project, its owner and the organization.',
  whoseHint: 'Enter * for budgets with one amount for each.',
  endUserHint: 'An end user of the key.',
  meter: {
    label: (name: string): string => `Spend of ${name}`,
    spent: (spent: string, amount: string, share: number): string =>
      `Spent ${spent} of ${amount} (${formatPercent(share)})`,
    spentWord: 'Spent',
    of: 'of',
    inSession: 'Up to {amount} per session',
    block: (warnAt: number): string => `warns at ${formatPercent(warnAt)}, blocks at 100 %`,
    warn: (warnAt: number): string => `warns at ${formatPercent(warnAt)}, blocks nothing`,
    resets: 'resets',
    pace: 'at this pace reached',
    lag: 'Spend is up to 60 s behind.',
  },
  one: {
    parent: 'Budgets',
    title: 'Budget',
    what: 'budget',
    spent: 'Spent',
    facts: 'Details',
    periods: 'Past periods',
    periodsNone: 'Session budgets have no periods. Each session has its own spend.',
    periodsWhose: 'Choose who in the list above to see past periods.',
    periodsOf: 'For {who}.',
    id: 'Id',
    scope: 'Scope',
    period: 'Period',
    amount: 'Amount',
    action: 'At 100 %',
    created: 'Created',
    updated: 'Last changed',
    edit: 'Edit',
    enable: 'Enable',
    disable: 'Disable',
    enabled: 'The budget is enabled.',
    disabled: 'The budget is disabled: it neither warns nor blocks.',
    delete: 'Delete',
  },
  periods: {
    caption: 'Spend by period',
    period: 'Period (UTC)',
    spent: 'Spent',
    share: 'Used',
    shareHint: 'Share of the current amount.',
  },
  spends: {
    each: 'Top spenders',
    sessions: 'Top sessions',
    one: 'Current period',
    empty: 'No spend in this period.',
    who: 'Who',
    session: 'Session',
    spent: 'Spent',
    reserved: 'Reserved',
    reservedHint: 'The most that running calls can still cost.',
    consumed: 'Used',
    periods: 'Past periods',
    showPeriods: 'Show',
    whose: 'Find',
    most: 'Highest: {who}, {spent} of {amount} ({share}).',
    nobody: 'No spend in this period yet.',
    more: 'Showing the top 1,000. Use “Find” for anyone else.',
  },
  override: {
    open: 'Temporary amount…',
    title: 'Set a temporary amount',
    note: 'Replaces {amount} until the date you choose.',
    amount: 'Amount in dollars',
    noAmount: 'Enter an amount.',
    until: 'Until',
    untilHint: (zone: string): string => `Time zone: ${zone}. At most 366 days from now.`,
    noUntil: 'Choose a date and a time.',
    reason: 'Reason',
    noReason: 'Enter a reason.',
    save: 'Save',
    saved: 'Temporary amount saved.',
    inForce: 'Temporary amount until {until}: {amount} instead of {usual}.',
    ended: 'The temporary amount of {amount} ended {until}.',
    remove: 'Remove',
    removeTitle: 'Remove the temporary amount?',
    effect: 'The regular amount applies immediately.',
    removed: 'Temporary amount removed.',
  },
  wouldHave: {
    needed: 'Choose a scope and an amount for a preview.',
    loading: 'Loading the preview…',
    none: 'No preview: no period has ended yet.',
    unknown: 'Could not load usage for the preview.',
    block: (reached: number, of: number, period: Exclude<Period, 'session'>): string =>
      `Would${reached === 0 ? ' not' : ''} have blocked in ${lastPeriods(reached, of, period)}.`,
    warn: (reached: number, of: number, period: Exclude<Period, 'session'>): string =>
      `Would${reached === 0 ? ' not' : ''} have been used up in ${lastPeriods(reached, of, period)}.`,
  },
  form: {
    createTitle: 'Create budget',
    editTitle: 'Edit budget',
    name: 'Name',
    noName: 'Give it a name.',
    scope: 'Scope',
    scopeNotes: {
      organization: 'All calls.',
      project: undefined,
      api_key: undefined,
      member: 'Calls with keys owned by a member.',
      model: 'Calls charged as a model.',
      end_user: 'Calls that name an end user (Svc-End-User).',
    } satisfies Record<Scope, string | undefined>,
    whose: 'Applies to',
    eachNote: 'Each gets the full amount. A budget for one of them overrides it.',
    one: {
      project: 'One project',
      api_key: 'One key',
      member: 'One member',
      model: 'One model',
      end_user: 'One end user',
    },
    endUserHint: 'The name used in calls, or the id: eu_…',
    modelHint: 'For example creator/model.',
    within: 'Only calls of project',
    withinHint: 'Leave empty to count the calls of all projects.',
    noScope: 'Choose who it applies to.',
    period: 'Period',
    periods: {
      day: { label: 'Day', note: 'Calendar day in UTC; includes spend so far.' },
      week: { label: 'Week', note: 'Monday to Sunday in UTC; includes spend so far.' },
      month: { label: 'Month', note: 'Calendar month in UTC; includes spend so far.' },
      quarter: { label: 'Quarter', note: 'Calendar quarter in UTC; includes spend so far.' },
      session: { label: 'Session', note: 'Each Svc-Session-Id has its own budget.' },
    },
    amount: 'Amount in dollars',
    noAmount: 'Enter an amount above $0.',
    action: 'When exceeded',
    actions: {
      block: { label: 'Block', note: 'Calls that no longer fit are refused (402 budget_exceeded).' },
      warn: { label: 'Warn', note: 'Calls continue. Responses carry Svc-Budget-Warning.' },
    },
    warnAt: 'Warn at (%)',
    noWarnAt: 'Enter a percentage from 0.01 to 100.',
    enabled: 'Enabled',
    enabledNote: 'A disabled budget neither warns nor blocks.',
    create: 'Create budget',
    save: 'Save',
    created: 'Budget created.',
    saved: 'Budget saved.',
  },
  delete: {
    title: 'Delete this budget?',
    effect: 'It no longer warns or blocks. Usage stays.',
    action: 'Delete budget',
    done: 'Budget deleted.',
  },
} as const;
