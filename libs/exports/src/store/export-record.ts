import { type Export } from '@svc/database/rows';
import { timeOfId, type JsonValue } from '@svc/kernel';
import {
  type ExportCompression,
  type ExportFailure,
  type ExportFormat,
  type ExportKind,
  type ExportState,
} from '../rules/export-kinds';

/** The filter as it was asked for: a text of values with commas between them, or a list. */
export type AskedFilter = Readonly<Record<string, string | readonly string[]>>;

/** The contents of an export: kind, range and filters. */
export interface ExportOrder {
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  readonly compression: ExportCompression;
  readonly start: Date | null;
  readonly end: Date | null;
  readonly filter: AskedFilter;
  /** Empty for all. */
  readonly columns: readonly string[];
}

export interface ExportRecord extends ExportOrder {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly state: ExportState;
  readonly failureCode: ExportFailure | null;
  /** Rows in the committed parts, and their bytes in the file. */
  readonly rowCount: number;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly creatorId: string;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly expiresAt: Date | null;
  /** The time in its id. */
  readonly createdAt: Date;
}

export const toExportRecord = (row: Export): ExportRecord => ({
  id: row.id,
  organizationId: row.organizationId,
  projectId: row.projectId,
  kind: row.kind as ExportKind,
  format: row.format as ExportFormat,
  compression: row.compression as ExportCompression,
  start: row.rangeStart,
  end: row.rangeEnd,
  filter: row.filter as AskedFilter,
  columns: row.columns,
  state: row.state as ExportState,
  failureCode: row.failureCode as ExportFailure | null,
  rowCount: Number(row.rowCount),
  bytes: Number(row.bytes),
  sha256: row.sha256,
  creatorId: row.creatorId,
  startedAt: row.startedAt,
  completedAt: row.completedAt,
  expiresAt: row.expiresAt,
  createdAt: new Date(timeOfId(row.id)),
});

/** For the audit log. */
export const auditedExport = (order: ExportOrder): Readonly<Record<string, JsonValue>> => ({
  kind: order.kind,
  format: order.format,
  compression: order.compression,
  start: order.start?.toISOString() ?? null,
  end: order.end?.toISOString() ?? null,
  filter: order.filter as JsonValue,
  columns: [...order.columns],
});

/** The owner of the key of an export's file. */
export const exportKeyContext = (exportId: string): string => `export key ${exportId}`;

/** Where the file is kept: a key of the store of objects. */
export const exportObjectKey = ({
  organizationId,
  id,
}: {
  readonly organizationId: string;
  readonly id: string;
}): string => `exports/${organizationId}/${id}`;
