export { ExportUpkeep } from './export-upkeep';
export { ExportWork } from './export-work';
