import { type Permission } from '@svc/access';

export const exportKinds = [
  'requests',
  'usage',
  'wallet_transactions',
  'audit_log',
  'webhook_deliveries',
] as const;
export type ExportKind = (typeof exportKinds)[number];

export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const exportCompressions = ['gzip', 'none'] as const;
export type ExportCompression = (typeof exportCompressions)[number];

export const exportStates = ['queued', 'running', 'completed', 'failed', 'cancelled', 'expired'] as const;
export type ExportState = (typeof exportStates)[number];

/** Why an export failed. */
export type ExportFailure = 'internal' | 'timed_out' | 'row_limit_exceeded' | 'storage_unavailable';

/** The filters of all kinds, named as in the API. */
export type ExportFilterName =
  | 'project_id'
  | 'api_key_id'
  | 'model'
  | 'provider'
  | 'status'
  | 'kind'
  | 'action'
  | 'actor_id'
  | 'endpoint_id'
  | 'event_type';

/** A row passes each filter that is given, with any of its values. */
export type ExportFilter = Readonly<Partial<Record<ExportFilterName, readonly string[]>>>;

interface KindRule {
  /** The permission that reads its rows elsewhere. */
  readonly permission: Permission;
  readonly needsRange: boolean;
  /** Null for no bound. */
  readonly daysMax: number | null;
  readonly filters: readonly ExportFilterName[];
  /** True where a project's key may export it, of its project. */
  readonly isOfProjects: boolean;
}

/** Kinds of exports (docs/reference/exports.md#kinds). */
export const kindRules: Readonly<Record<ExportKind, KindRule>> = {
  requests: {
    permission: 'usage:read',
    needsRange: true,
    daysMax: 366,
    filters: ['project_id', 'api_key_id', 'model', 'provider', 'status'],
    isOfProjects: true,
  },
  usage: {
    permission: 'usage:read',
    needsRange: true,
    daysMax: null,
    filters: ['project_id', 'api_key_id', 'model', 'provider'],
    isOfProjects: true,
  },
  wallet_transactions: {
    permission: 'wallet:read',
    needsRange: false,
    daysMax: null,
    filters: ['kind'],
    isOfProjects: false,
  },
  audit_log: {
    permission: 'audit:read',
    needsRange: false,
    daysMax: null,
    filters: ['action', 'actor_id'],
    isOfProjects: false,
  },
  webhook_deliveries: {
    permission: 'webhook:write',
    needsRange: true,
    daysMax: 92,
    filters: ['endpoint_id', 'event_type', 'status'],
    isOfProjects: false,
  },
};

/** Exports of an organization that wait at most. */
export const QUEUED_MAX = 10;
/** Claims of an export in a row that stored no part. */
export const FRUITLESS_CLAIMS_MAX = 5;
/** From the first claim to the end. */
export const RUNNING_HOURS_MAX = 6;
/** From here on a part ends: its bytes in the file. */
export const PART_BYTES = 8 * 1024 * 1024;
/** Rows that are read at once. */
export const PAGE_ROWS = 1_000;
