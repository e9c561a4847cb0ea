import { formatPlural } from '../../format/numbers';

export const text = {
  title: 'Refused calls',
  purpose:
    'Calls that were refused before they reached a provider. They are free and not listed under Requests.',
  caption: 'Refused calls',
  what: 'refused calls',
  emptyTitle: 'No refused calls',
  empty: 'Calls refused by a limit, a budget or a policy appear here within 10 seconds.',
  total: (calls: number): string => `${formatPlural(calls, 'call')} refused from {start} to {end}.`,
  order: 'Most frequent first.',
  columns: {
    code: 'Reason',
    count: 'Calls',
    last: 'Last refused',
    message: 'Last message',
    model: 'Model',
    key: 'Key and project',
  },
  modelHint: 'A dash: the model was unknown, or not read yet.',
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
    code: 'An error code, for example rate_limit.',
  },
} as const;
