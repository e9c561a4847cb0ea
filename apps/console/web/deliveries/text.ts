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
  failed: 'Failed, due again',
  dead: 'Dead',
};
/** Why no answer came (docs/reference/webhooks.md#deliveries). */
const causeWords: Readonly<Record<string, string>> = {
  timeout: 'No answer within 10 seconds',
  dns_failed: 'The name has no address',
  connection_failed: 'Nobody took the connection',
  tls_failed: 'The certificate is not valid for the host, or TLS failed otherwise',
  connection_closed: 'The connection ended before an answer',
  invalid_response: 'The answer was not HTTP',
  blocked_address: 'The address is not public',
  worker_lost: 'The process that made the attempt died',
  not_sent: 'The service could not send it; it does not count against the receiver',
};
const countOf = (count: number, round: number): string =>
  round === 1 ? formatCount(count) : `${formatCount(count)} of round ${formatCount(round)}`;

export const text = {
  everyEvent: 'Every event',
  someEvents: (types: readonly string[]): string =>
    types.length === 1 && types[0] !== undefined
      ? types[0]
      : formatPlural(types.length, 'event or wildcard', 'events or wildcards'),
  inARow: (count: number): string => `${formatPlural(count, 'failure')} in a row`,
  stateNotes: {
    active: null,
    failing: 'It is disabled after 25.',
    paused: 'Deliveries wait, up to 30 days.',
    disabled: 'Deliveries wait, up to 30 days, until it is enabled.',
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
    every: { label: 'Every event', note: 'Those that are added later, too.' },
    chosen: { label: 'Choose events', note: 'A wildcard stands for all events of its noun.' },
    none: 'Choose at least one event.',
    allOf: (wildcard: string): string => `All of ${wildcard}`,
    example: 'Show what is sent for',
    exampleLabel: (type: string): string => `Example of ${type}`,
    schemaLabel: (type: string): string => `Schema of the data of ${type}`,
  },
  list: {
    title: 'Deliveries',
    what: 'deliveries',
    newest: 'Newest deliveries',
    all: 'All deliveries',
    emptyTitle: 'No deliveries yet',
    empty: 'An event that the receiver subscribes to is delivered within seconds. Send a test to see one.',
    nothingYet: 'None in what was searched so far.',
    searchedTo: 'earlier deliveries',
    at: 'Time',
    type: 'Event',
    status: 'Status',
    attempts: 'Attempts',
    due: 'Next due',
    notDue: 'None due',
    id: 'Delivery',
    attemptsOf: countOf,
  },
  delivery: {
    title: 'Delivery',
    what: 'delivery',
    facts: 'Facts',
    id: 'Id',
    event: 'Event',
    created: 'Created',
    due: 'Next attempt',
    notDue: 'None is due',
    again: 'Send again',
    queuedReason: 'It is queued already.',
    sent: 'The delivery is queued again.',
    attempts: 'Attempts',
    noAttempts: 'No attempt has ended yet.',
    columns: {
      attempt: 'Attempt',
      at: 'Time',
      result: 'Answer',
      duration: 'Duration',
      excerpt: 'What it answered',
    },
    attempt: countOf,
    answered: (status: number): string => `Status ${String(status)}`,
    cause: (error: string): string => causeWords[error] ?? error,
    noExcerpt: 'Nothing',
    body: 'Body',
    bodyLabel: 'Body as it is sent',
  },
} as const;
