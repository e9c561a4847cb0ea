import { formatPlural } from '../../format/numbers';

export const text = {
  title: 'Refused calls',
  purpose: 'Calls that were refused before a provider was asked. They cost nothing and have no request.',
  caption: 'Refused calls',
  what: 'refused calls',
  emptyTitle: 'No call was refused',
  empty: 'Calls that a limit, a budget or a policy refuses are counted here, within 10 seconds.',
  total: (calls: number): string => `${formatPlural(calls, 'call')} refused from {start} to {end}.`,
  order: 'The most frequent first.',
  columns: {
    code: 'Reason',
    count: 'Calls',
    last: 'Last refused',
    message: 'Last message',
    model: 'Model',
    key: 'Key and project',
  },
  modelHint: 'As the call named it. A dash: refused before the model was read, or a name that no model has.',
  none: '–',
  noProject: 'No project',
  openKey: 'Open key',
  filters: {
    code: 'Reason',
    key: 'Key',
    model: 'Model',
    project: 'Project',
    after: 'After',
    before: 'Before',
  },
  filterHints: {
    code: 'The error code: rate_limit, budget_exceeded, …',
    key: 'The id of a key.',
    model: 'The whole name: acme/small.',
  },
} as const;
