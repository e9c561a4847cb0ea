import { formatCount, formatPlural } from '../format/numbers';
import { type AnyDelivery, type Receiver } from './delivery';

export const stateWords: Readonly<Record<Receiver['state'], string>> = {
  active: 'Active',
  failing: 'Failing',
  paused: 'Paused',
  disabled: 'Disabled',
};
export const statusWords: Readonly<Record<AnyDelivery['status'], string>> = {
  queued: 'Queued',
  succeeded: 'Succeeded',
  failed: 'Retrying',
  dead: 'Dead',
};
/** Why no answer came (docs/reference/webhooks.md#deliveries). */
const causeWords: Readonly<Record<string, string>> = {
  timeout: 'No response within 10 seconds',
  dns_failed: 'DNS lookup failed',
  connection_failed: 'Connection refused',
  tls_failed: 'TLS failed, or the certificate is not valid',
  connection_closed: 'The connection closed before a response',
  invalid_response: 'The response was not HTTP',
  blocked_address: 'The address is not public',
  worker_lost: 'Interrupted by a restart',
  not_sent: 'Not sent because of a problem on our side',
};
const countOf = (count: number, round: number): string =>
  round === 1 ? formatCount(count) : `${formatCount(count)} (round ${formatCount(round)})`;

export const text = {
  everyEvent: 'Every event',
  someEvents: (types: readonly string[]): string =>
    types.length === 1 && types[0] !== undefined
      ? types[0]
      : formatPlural(types.length, 'event or wildcard', 'events or wildcards'),
  inARow: (count: number): string => `${formatPlural(count, 'failure')} in a row`,
  stateNotes: {
    active: null,
    failing: 'Disabled after 25 failures in a row.',
    paused: 'Deliveries are kept for up to 30 days.',
    disabled: 'Deliveries are kept for up to 30 days until it is enabled.',
  },
  held: { paused: 'Waits while paused', disabled: 'Waits while disabled' },
  filters: {
    status: 'Status',
    type: 'Event',
    event: 'Event id',
    after: 'From',
    before: 'Before',
  },
  events: {
    label: 'Events',
    every: { label: 'Every event', note: 'Including events added later.' },
    chosen: { label: 'Choose events', note: '“api_key.*” means all key events.' },
    none: 'Choose at least one event.',
    allOf: (wildcard: string): string => `All of ${wildcard}`,
    example: 'Example payload of',
    exampleLabel: (type: string): string => `Example of ${type}`,
    schemaLabel: (type: string): string => `Schema of the data of ${type}`,
  },
  list: {
    title: 'Deliveries',
    what: 'deliveries',
    newest: 'Newest deliveries',
    all: 'All deliveries',
    emptyTitle: 'No deliveries yet',
    empty: 'Send a test to see a delivery.',
    nothingYet: 'No matches so far.',
    searchedTo: 'earlier deliveries',
    at: 'Time',
    type: 'Event',
    status: 'Status',
    attempts: 'Attempts',
    due: 'Next attempt',
    notDue: '–',
    id: 'Delivery',
    attemptsOf: countOf,
  },
  delivery: {
    title: 'Delivery',
    what: 'delivery',
    facts: 'Details',
    id: 'Id',
    event: 'Event',
    created: 'Created',
    due: 'Next attempt',
    notDue: 'None scheduled',
    again: 'Send again',
    queuedReason: 'Already queued.',
    sent: 'Delivery queued.',
    attempts: 'Attempts',
    noAttempts: 'No attempts yet.',
    columns: {
      attempt: 'Attempt',
      at: 'Time',
      result: 'Result',
      duration: 'Duration',
      excerpt: 'Response',
    },
    attempt: countOf,
    answered: (status: number): string => `Status ${String(status)}`,
    cause: (error: string): string => causeWords[error] ?? error,
    noExcerpt: 'Empty',
    body: 'Body',
    bodyLabel: 'Request body',
  },
} as const;
