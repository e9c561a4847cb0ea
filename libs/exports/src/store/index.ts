export { type ExportLease } from './export-lease';
export { ExportPages } from './export-pages';
export {
  auditedExport,
  exportKeyContext,
  exportObjectKey,
  type ExportOrder,
  type ExportRecord,
} from './export-record';
export { ExportStore, type ExportFile } from './export-store';
