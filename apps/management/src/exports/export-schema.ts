import { z } from 'zod';
import { id, pointInTime, presenter, timestamp } from '@svc/api';
import { exportCompressions, exportFormats, exportKinds, exportStates } from '@svc/exports';
import { type ExportRecord } from '@svc/exports/store';

const VALUES_MAX = 100;
const VALUE_MAX_LENGTH = 2_000;
const COLUMNS_MAX = 100;
const IDEMPOTENCY_KEY_MAX = 255;

const kind = z.enum(exportKinds).meta({ description: 'What the rows are.', example: 'requests' });
const format = z.enum(exportFormats).meta({
  description: '`csv`: RFC 4180 with a header. `jsonl`: a row a line, as the API shows it.',
  example: 'csv',
});
const compression = z
  .enum(exportCompressions)
  .meta({ description: 'How the file is compressed.', example: 'gzip' });

const text = z
  .string()
  .min(1)
  .max(VALUE_MAX_LENGTH)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters');
const values = z.union([text, z.array(text).min(1).max(VALUES_MAX)]);
const filter = z.strictObject({
  project_id: values.optional().meta({ example: 'proj_06dpm2q4x8k3c0v9r7t5w1hzny' }),
  api_key_id: values.optional().meta({ example: 'key_06dpm2q4x8k3c0v9r7t5w1hzny' }),
  model: values.optional().meta({ example: 'acme/small' }),
  provider: values.optional().meta({ example: 'acme' }),
  status: values.optional().meta({ example: 'failed,cancelled' }),
  kind: values.optional().meta({ example: 'charge' }),
  action: values.optional().meta({ example: 'api_key.create' }),
  actor_id: values.optional().meta({ example: 'usr_06dpm2q4x8k3c0v9r7t5w1hzny' }),
  endpoint_id: values.optional().meta({ example: 'whe_06dpm2q4x8k3c0v9r7t5w1hzny' }),
  event_type: values.optional().meta({ example: 'api_key.created' }),
});
const exportFilter = filter.meta({
  id: 'ExportFilter',
  description:
    'A row passes each filter that is given; of one with several values, any. Each kind takes some of them. Several values ' +
    'are a list, or a text with commas between them.',
  example: { status: 'failed,cancelled' },
});

const column = z.string().min(1).max(64);

export const dataExport = z
  .object({
    id: id('export'),
    organization_id: id('organization'),
    project_id: id('project').nullable().meta({
      description: 'The project whose key asked for it; null for the whole organization.',
      example: null,
    }),
    kind,
    format,
    compression,
    start: timestamp().nullable().meta({ description: 'Rows from then on; null for no bound.' }),
    end: timestamp().nullable().meta({ description: 'Rows from before then; null for no bound.' }),
    filter: exportFilter,
    columns: z
      .array(column)
      .nullable()
      .meta({ description: 'Null for all columns of the kind.', example: ['id', 'cost.customer_nanos'] }),
    state: z.enum(exportStates).meta({ example: 'completed' }),
    row_count: z.int().min(0).nullable().meta({
      description: 'Rows of the file; null until it is completed.',
      example: 1_204,
    }),
    bytes: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Of the file; null until it is completed.', example: 48_211 }),
    sha256: z.string().nullable().meta({
      description: 'The SHA-256 of the file, in hexadecimal; null until it is completed.',
      example: 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c',
    }),
    progress: z
      .object({ rows: z.int().min(0).meta({ description: 'Rows that are stored.', example: 1_204 }) })
      .meta({ id: 'ExportProgress' }),
    failure_code: z
      .enum(['internal', 'timed_out', 'row_limit_exceeded', 'storage_unavailable'])
      .nullable()
      .meta({ description: 'Why it failed; null where it did not.', example: null }),
    created_by: z.string().meta({
      description: 'The id of the user or key that asked for it.',
      example: 'usr_06dpm2q4x8k3c0v9r7t5w1hzny',
    }),
    created_at: timestamp(),
    started_at: timestamp().nullable(),
    completed_at: timestamp().nullable(),
    expires_at: timestamp().nullable().meta({
      description: 'When the file is deleted; null until it is completed.',
    }),
  })
  .meta({ id: 'Export', description: 'A file of rows that the service writes, to be loaded down.' });

export const newExport = z
  .strictObject({
    kind,
    format,
    compression: compression.default('gzip'),
    start: pointInTime().optional().meta({
      description:
        'Rows from then on. Required for `requests`, `usage` and `webhook_deliveries`. `usage` counts whole UTC days.',
      example: '2026-11-01',
    }),
    end: pointInTime().optional().meta({
      description: 'Rows from before then: at most now. Required where `start` is.',
      example: '2026-11-02',
    }),
    filter: exportFilter.default({}),
    columns: z
      .array(column)
      .min(1)
      .max(COLUMNS_MAX)
      .optional()
      .meta({
        description:
          'The columns of the file in their order: fields of the API, with dots between nested ones. The name of a field ' +
          'with nested ones means all of these. By default all of the kind.',
        example: ['id', 'model', 'cost.customer_nanos'],
      }),
  })
  .meta({ id: 'NewExport', example: { kind: 'wallet_transactions', format: 'csv' } });

export const newExportHeaders = {
  'Idempotency-Key': z.string().min(1).max(IDEMPOTENCY_KEY_MAX).optional().meta({
    description: 'A retry with the same key and body within 24 hours answers with the same export.',
    example: 'export-2026-11',
  }),
};

export const exportListFilters = {
  state: z.enum(exportStates).optional(),
  kind: z.enum(exportKinds).optional(),
};

export const exportDownload = z
  .object({
    url: z.string().meta({
      description: 'Loads the file down, without a login. It takes `HEAD` and `Range`.',
      example:
        'https://svc.example/downloads/exports/exp_06dpm2q4x8k3c0v9r7t5w1hzny?expires=1795167000&signature=Zm9y',
    }),
    expires_at: timestamp(),
  })
  .meta({ id: 'ExportDownload' });

export const presentExport = presenter<typeof dataExport, ExportRecord>(dataExport, {
  columns: ({ columns }) => (columns.length === 0 ? null : columns),
  row_count: ({ completedAt, rowCount }) => (completedAt === null ? null : rowCount),
  bytes: ({ completedAt, bytes }) => (completedAt === null ? null : bytes),
  progress: ({ rowCount: rows }) => ({ rows }),
  created_by: ({ creatorId }) => creatorId,
});
