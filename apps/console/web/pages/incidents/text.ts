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
  purpose: 'What is wrong with the platform that affects you, and what was.',
  caption: 'Incidents',
  what: 'incidents',
  emptyTitle: 'No incident has affected you',
  empty: 'While one is open, a banner says so on all pages.',
  columns: {
    title: 'Incident',
    state: 'State',
    severity: 'Severity',
    about: 'About',
    started: 'Began',
    resolved: 'Resolved',
  },
  notYet: 'Not yet',
  open: 'Open',
  filters: { state: 'State', severity: 'Severity' },
  one: {
    title: 'Incident',
    what: 'incident',
    facts: 'Facts',
    id: 'Id',
    severity: 'Severity',
    components: 'Parts',
    providers: 'Providers',
    models: 'Models',
    source: 'Opened by',
    sources: { operator: 'The operator', automatic: 'The service' },
    started: 'Began',
    resolved: 'Resolved',
    affected: 'Affects you since',
    updates: 'Updates',
  },
} as const;
