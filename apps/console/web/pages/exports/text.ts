import { formatPlural } from '../../format/numbers';
import { type Export, type Kind, type State } from './export';

export const kindWords: Readonly<Record<Kind, string>> = {
  requests: 'Requests',
  usage: 'Usage',
  wallet_transactions: 'Wallet transactions',
  audit_log: 'Audit log',
  webhook_deliveries: 'Webhook deliveries',
};

export const stateWords: Readonly<Record<State, string>> = {
  queued: 'Waiting',
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
  expired: 'Expired',
};

const failures: Readonly<Record<NonNullable<Export['failure_code']>, string>> = {
  internal: 'An internal error occurred.',
  timed_out: 'It took too long.',
  row_limit_exceeded: 'It has too many rows. Choose a shorter range.',
  storage_unavailable: 'The file could not be stored.',
};

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
const STEP = 1000;

/** `48.2 kB`. */
export function sizeWords(bytes: number): string {
  const place = bytes === 0 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const size = bytes / STEP ** place;
  return `${String(Math.round(size * 10) / 10)} ${UNITS[place] ?? 'B'}`;
}

export const text = {
  title: 'Exports',
  purpose: 'Download requests, usage, transactions, audit entries and deliveries as files.',
  caption: 'Exports',
  what: 'exports',
  create: 'Create export',
  emptyTitle: 'No exports yet',
  first: 'Create your first export',
  empty: 'Exports are written in the background and kept for a few days.',
  columns: {
    kind: 'Data',
    range: 'Period',
    state: 'State',
    rows: 'Rows',
    size: 'Size',
    created: 'Requested',
    expires: 'Expires at',
    actions: 'Actions',
  },
  wholeTime: 'All data',
  rows: (count: number): string => formatPlural(count, 'row'),
  failures,
  filters: { state: 'State', kind: 'Data' },
  download: {
    action: 'Download',
    title: 'Your link',
    note: 'It needs no login, so keep it secret. It works until {time}.',
    logged: 'Each link is in the audit log.',
    started: 'Download started.',
    getLink: 'Get link',
    linkOf: (kind: string): string => `Get link to ${kind}`,
    field: 'Link',
    close: 'Close',
  },
  cancel: {
    open: 'Cancel',
    title: 'Cancel this export?',
    effect: 'The partial file is deleted.',
    action: 'Cancel export',
    done: 'Export cancelled.',
  },
  remove: {
    open: 'Delete',
    title: 'Delete this export?',
    effect: 'The file is deleted, and its links stop working.',
    action: 'Delete export',
    done: 'Export deleted.',
  },
  form: {
    title: 'Create export',
    kind: 'Data',
    format: 'Format',
    formats: { csv: 'CSV', jsonl: 'JSON lines' },
    compression: 'Compression',
    compressions: { gzip: 'gzip', none: 'None' },
    start: 'From',
    end: 'To',
    rangeHint: 'Leave empty for all data, if supported.',
    submit: 'Create export',
    created: 'Export requested.',
  },
} as const;
