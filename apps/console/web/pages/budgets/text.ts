import { type BudgetStanding } from '../../calls/budget-standing';
import { formatCount, formatPercent } from '../../format/numbers';
import { type Action, type Period, type Scope } from './budget';

export const scopeWords: Readonly<Record<Scope, string>> = {
  organization: 'Organization',
  project: 'Project',
  api_key: 'Key',
  member: 'Member',
  model: 'Model',
  end_user: 'End user',
};
export const periodWords: Readonly<Record<Period, string>> = {
  day: 'A day',
  week: 'A week',
  month: 'A month',
  quarter: 'A quarter',
  session: 'A session',
};
export const actionWords: Readonly<Record<Action, string>> = { block: 'Blocks', warn: 'Warns' };
export const standingWords: Readonly<Record<BudgetStanding, string>> = {
  disabled: 'Disabled',
  session: 'Each session its own',
  within: 'Within',
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

export const text = {
  title: 'Budgets',
  purpose: 'What may be spent in a day, a month or a session, and what was. Spend is up to 60 s behind.',
  caption: 'Budgets',
  what: 'budgets',
  create: 'Create budget',
  emptyTitle: 'No budgets yet',
  empty: 'A budget caps what the organization, a project or a key spends: it warns, or refuses calls.',
  columns: {
    name: 'Name',
    scope: 'Of',
    spent: 'Spent',
    standing: 'State',
    resets: 'Starts again',
  },
  filters: { scope: 'Of', enabled: 'Enabled', key: 'Binds key' },
  yes: 'Yes',
  no: 'No',
  notAKey: 'Write the id of a key: key_…',
  keyHint: 'Every budget that counts its calls: its own, its project’s and the organization’s.',
  session: 'Each session its own',
  meter: {
    label: (name: string): string => `Spent of ${name}`,
    spent: (spent: string, amount: string, share: number): string =>
      `Spent ${spent} of ${amount} (${formatPercent(share)})`,
    spentWord: 'Spent',
    of: 'of',
    upTo: 'Up to',
    inSession: 'in each session',
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
    facts: 'Facts',
    periods: 'Past periods',
    periodsNone: 'A budget of sessions has no periods: each session has its own spend.',
    id: 'Id',
    scope: 'Of',
    period: 'In',
    action: 'At 100 %',
    created: 'Created',
    updated: 'Changed',
    edit: 'Change',
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
    share: 'Of the amount',
  },
  wouldHave: {
    needed: 'Set scope and amount to see what it would have done.',
    loading: 'Reading what it would have done before …',
    none: 'It would have done nothing yet: no period is over.',
    unknown: 'What it would have done is unknown: usage was not read.',
    block: (reached: number, of: number, period: Exclude<Period, 'session'>): string =>
      `In ${formatCount(reached)} of the last ${formatCount(of)} ${of === 1 ? periodsOf[period].one : periodsOf[period].many} this would have blocked.`,
    warn: (reached: number, of: number, period: Exclude<Period, 'session'>): string =>
      `In ${formatCount(reached)} of the last ${formatCount(of)} ${of === 1 ? periodsOf[period].one : periodsOf[period].many} this would have been used up.`,
  },
  form: {
    createTitle: 'Create budget',
    editTitle: 'Change budget',
    name: 'Name',
    noName: 'Give it a name.',
    scope: 'Whose calls it counts',
    project: 'Project',
    key: 'Key id',
    noScope: 'Choose what it is of.',
    period: 'In each',
    periods: {
      day: { label: 'Day', note: 'Of UTC. What was spent today counts.' },
      month: { label: 'Month', note: 'Of UTC. What was spent this month counts.' },
      session: { label: 'Session', note: 'That calls name by Svc-Session-Id: each its own.' },
    },
    amount: 'Amount in dollars',
    noAmount: 'Write an amount above zero.',
    action: 'When it is used up',
    actions: {
      block: { label: 'Block', note: 'A call that no longer fits is refused with 402 budget_exceeded.' },
      warn: { label: 'Warn', note: 'Calls go on. Answers carry Svc-Budget-Warning.' },
    },
    warnAt: 'Warn from, in percent',
    noWarnAt: 'Write a percentage from 0.01 to 100.',
    enabled: 'Enabled',
    enabledNote: 'A disabled budget neither warns nor blocks.',
    create: 'Create budget',
    save: 'Save',
    created: 'Budget created.',
    saved: 'Budget changed.',
  },
  delete: {
    title: 'Delete this budget?',
    effect:
      'It neither warns nor blocks any more. Calls in flight are settled without it. What was spent stays in the usage.',
    action: 'Delete budget',
    done: 'Budget deleted.',
  },
} as const;
