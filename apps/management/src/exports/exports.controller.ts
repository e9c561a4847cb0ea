import { Act, Create, Get, List, presentTime, Remove, Resource, type Call } from '@svc/api';
import { QUEUED_MAX } from '@svc/exports';
import { ExportStore } from '@svc/exports/store';
import { type Collection } from '../collection';
import { DownloadsController } from './downloads.controller';
import {
  dataExport,
  exportDownload,
  exportListFilters,
  newExport,
  newExportHeaders,
  presentExport,
} from './export-schema';
import { Exports } from './exports';

const ids = { export_id: 'export' } as const;

@Resource({
  path: 'exports',
  one: 'Export',
  many: 'Exports',
  tag: 'Exports',
  description:
    'Files of calls, usage, wallet transactions, audit entries or webhook deliveries, written in the background.',
})
class ExportsController {
  constructor(private readonly exports: Exports) {}

  @List('', {
    summary: 'The exports, newest first.',
    description: 'A project’s key sees those that keys of its project asked for.',
    permission: 'export:read',
    scope: null,
    cursor: 'export',
    query: exportListFilters,
    item: dataExport,
  })
  async list({ caller, page, query }: Call<{ query: typeof exportListFilters }>) {
    const { items, hasMore } = await this.exports.list(caller, page, query);
    return { items: items.map(presentExport), hasMore };
  }

  @Get(':export_id', {
    summary: 'One export, with its progress.',
    permission: 'export:read',
    scope: null,
    ids,
    answer: dataExport,
  })
  async get({ caller, ids }: Call<{ ids: 'export_id' }>) {
    return presentExport(await this.exports.get(caller, ids.export_id));
  }

  @Create('', {
    summary: 'Asks for an export.',
    description:
      'Besides `export:write` the caller needs the permission to read such rows: `usage:read` for `requests` and `usage`, ' +
      '`wallet:read` for `wallet_transactions`, `audit:read` for `audit_log`, `webhook:write` for `webhook_deliveries`. ' +
      `One export of an organization is written at a time, and ${String(QUEUED_MAX)} can wait. A project’s key exports ` +
      '`requests` and `usage` of its project.',
    permission: 'export:write',
    scope: null,
    approval: 'export.create',
    headers: newExportHeaders,
    errors: ['conflict', 'idempotencyKeyReused'],
    body: newExport,
    answer: dataExport,
  })
  async create({
    caller,
    body,
    headers,
  }: Call<{ body: typeof newExport; headers: typeof newExportHeaders }>) {
    return presentExport(await this.exports.create(caller, body, headers['Idempotency-Key'] ?? null));
  }

  @Act(':export_id/download', {
    summary: 'Makes a link that loads the file down.',
    description:
      'The link lives ten minutes and needs no login: keep it secret. It stops when the export is deleted or expires. ' +
      'Besides `export:read` the caller needs the permission to read such rows. Each link is in the audit log.',
    permission: 'export:read',
    scope: null,
    errors: ['conflict'],
    ids,
    answer: exportDownload,
  })
  async download({ caller, ids }: Call<{ ids: 'export_id' }>) {
    const { url, expiresAt } = await this.exports.download(caller, ids.export_id);
    return { url, expires_at: presentTime(expiresAt) };
  }

  @Act(':export_id/cancel', {
    summary: 'Cancels an export that is queued or running.',
    permission: 'export:write',
    scope: null,
    errors: ['conflict'],
    ids,
    answer: dataExport,
  })
  async cancel({ caller, ids }: Call<{ ids: 'export_id' }>) {
    return presentExport(await this.exports.cancel(caller, ids.export_id));
  }

  @Remove(':export_id', {
    summary: 'Deletes an export: its file and its record.',
    description: 'One that is queued or running is cancelled first. Links to it stop at once.',
    permission: 'export:write',
    scope: null,
    ids,
  })
  async remove({ caller, ids }: Call<{ ids: 'export_id' }>) {
    await this.exports.remove(caller, ids.export_id);
  }
}

export const dataExports: Collection = {
  controllers: [ExportsController, DownloadsController],
  services: [Exports],
  stores: [ExportStore],
};
