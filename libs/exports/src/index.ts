export {
  exportCompressions,
  exportFormats,
  exportKinds,
  exportStates,
  FRUITLESS_CLAIMS_MAX,
  kindRules,
  PAGE_ROWS,
  PART_BYTES,
  QUEUED_MAX,
  RUNNING_HOURS_MAX,
  type ExportCompression,
  type ExportFailure,
  type ExportFilter,
  type ExportFilterName,
  type ExportFormat,
  type ExportKind,
  type ExportState,
} from './kinds/export-kinds';
export { isGoodLink, LINK_LIVES_MS, linkSignature, type DownloadLink } from './links/download-link';
export { renderingOf } from './rendering/render-rows';
export { callRow, type ShownCall } from './rows/call-row';
export { columnsOf, namedColumns } from './rows/columns';
export { type ExportRow } from './rows/export-row';
export { auditRow, deliveryRow } from './rows/history-rows';
export { countsRow, transactionRow, usageRow } from './rows/money-rows';
export { mayGoOn } from './standing/creator-standing';
