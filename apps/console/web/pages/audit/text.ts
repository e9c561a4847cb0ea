export const text = {
  title: 'Audit log',
  purpose: 'Who changed what, and when. Entries never change and never contain secrets.',
  caption: 'Audit entries',
  what: 'audit entries',
  emptyTitle: 'No changes yet',
  empty: 'Changes to the organization, keys, members, budgets and more appear here.',
  nothingYet: 'No matches so far.',
  columns: { at: 'When', actor: 'Who', what: 'What', target: 'Target', request: 'Request id' },
  filters: { action: 'Action', actor: 'Who', target: 'Target', after: 'From', before: 'Until' },
  hints: {
    action: 'For example api_key.update, or api_key.* for all key changes.',
    actor: 'A member or key by name, or the id of an OAuth app.',
    target: 'A key, project, member, budget, webhook or integration by name, or any id.',
  },
  actors: {
    user: 'User',
    api_key: 'API key',
    oauth_app: 'OAuth app',
    operator: 'The operator',
    system: 'The service',
  },
  approved: 'After approval',
  byService: 'The service itself',
  actor: (kind: string, id: string): string => `${kind} ${id}`,
  onlyTarget: 'Only this target',
  secret: (field: string): string => `${field}: replaced`,
  set: (field: string, to: string): string => `${field}: ${to}`,
  change: (field: string, from: string, to: string): string => `${field}: ${from} → ${to}`,
  raised: (actor: string, field: string, target: string, from: string, to: string): string =>
    `${actor} raised ${field} of ${target} from ${from} to ${to}`,
  lowered: (actor: string, field: string, target: string, from: string, to: string): string =>
    `${actor} lowered ${field} of ${target} from ${from} to ${to}`,
  changed: (actor: string, field: string, target: string, from: string, to: string): string =>
    `${actor} changed ${field} of ${target} from ${from} to ${to}`,
  renamed: (actor: string, noun: string, from: string, to: string): string =>
    `${actor} renamed ${noun} ${from} to ${to}`,
  did: (actor: string, verb: string, target: string): string => `${actor} ${verb} ${target}`,
} as const;
