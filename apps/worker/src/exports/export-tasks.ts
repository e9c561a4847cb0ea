import { type BeforeApplicationShutdown } from '@nestjs/common';
import { type Database } from '@svc/database';
import { ExportPages } from '@svc/exports/store';
import { ExportUpkeep, ExportWork } from '@svc/exports/work';
import { createSealer, type MasterKey } from '@svc/runtime';
import { type Logger, type Registry } from '@svc/runtime/observability';
import { type ObjectStore } from '@svc/storage';
import { ExportMetrics } from './export-metrics';
import { keepUpExports } from './keep-up-exports';
import { writeExport } from './write-export';

export interface ExportSettings {
  /** `SVC_EXPORT_MAX_ROWS` */
  readonly rowsMax: number;
  /** `SVC_EXPORT_RETENTION_DAYS` */
  readonly retentionDays: number;
  /** `SVC_EXPORT_WORK_PERCENT`, as a share */
  readonly workShare: number;
}

interface ExportRuntime {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly masterKey: MasterKey;
  readonly store: ObjectStore;
  readonly exports: ExportSettings;
}

const LOOK_EVERY_MS = 1_000;
/** How many exports a worker writes at a time. */
const WRITTEN_AT_ONCE = 2;

/** Tells the exports that are being written that the service stops, before it waits for them. */
export class StopSignal implements BeforeApplicationShutdown {
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;

  beforeApplicationShutdown(): void {
    this.controller.abort();
  }
}

/** The periodic tasks of exports. */
export function exportTasks(
  { database, logger, metrics: registry, masterKey, store, exports }: ExportRuntime,
  stopping: AbortSignal,
) {
  const upkeep = new ExportUpkeep(database);
  const metrics = new ExportMetrics(registry, upkeep, logger);
  const writing = {
    work: new ExportWork(database, { sealer: createSealer(masterKey) }),
    pages: new ExportPages(database),
    store,
    logger,
    ...exports,
    stopping,
    onRows: (count: number) => {
      metrics.countRows(count);
    },
  };
  const write = () => writeExport(writing);
  const isDue = () => writing.work.isDue();
  const keepUp = () => keepUpExports({ upkeep, store, metrics });
  return [
    { name: 'exports', everyMs: LOOK_EVERY_MS, runsMax: WRITTEN_AT_ONCE, isDue, run: write },
    { name: 'export-upkeep', everyMs: LOOK_EVERY_MS, isDue: upkeep.isDue, run: keepUp },
  ];
}
