export { callRow } from './rules/call-row';
export { columnsOf, namedColumns } from './rules/columns';
export { LINK_LIVES_MS, isGoodLink, linkSignature } from './rules/download-link';
export {
  PART_BYTES,
  QUEUED_MAX,
  exportCompressions,
  exportFormats,
  exportKinds,
  exportStates,
  kindRules,
  type ExportCompression,
  type ExportKind,
} from './rules/export-kinds';
export { type ExportRow } from './rules/export-row';
export { auditRow } from './rules/history-rows';
export { countsRow, transactionRow } from './rules/money-rows';
export { renderingOf } from './rules/render-rows';
