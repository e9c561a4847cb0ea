import { type Incident } from './incident';

export const stateWords: Readonly<Record<Incident['state'], string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
};

export const severityWords: Readonly<Record<Incident['severity'], string>> = {
  minor: 'Minor',
  major: 'Major',
  critical: 'Critical',
};

/** The parts of the platform that an incident names. */
const components: Readonly<Record<string, string>> = {
  inference: 'Inference',
  management: 'Management API',
  webhooks: 'Webhooks',
  oauth: 'OAuth',
  console: 'Console',
  payments: 'Payments',
  fine_tuning: 'Fine-tuning',
};
export const componentWords = (component: string): string => components[component] ?? component;

export const text = {
  title: 'Incidents',
  purpose: 'Current and past platform incidents that affect you.',
  caption: 'Incidents',
  what: 'incidents',
  emptyTitle: 'No incidents',
  empty: 'Open incidents are also shown in a banner on every page.',
  columns: {
    title: 'Incident',
    state: 'State',
    severity: 'Severity',
    about: 'Affects',
    started: 'Started',
    resolved: 'Resolved',
  },
  notYet: 'Not yet',
  open: 'Open',
  filters: { state: 'State', severity: 'Severity' },
  one: {
    title: 'Incident',
    what: 'incident',
    facts: 'Details',
    id: 'Id',
    severity: 'Severity',
    components: 'Components',
    providers: 'Providers',
    models: 'Models',
    source: 'Opened by',
    sources: { operator: 'The operator', automatic: 'Automatic' },
    started: 'Started',
    resolved: 'Resolved',
    affected: 'Affecting you since',
    updates: 'Updates',
  },
} as const;
