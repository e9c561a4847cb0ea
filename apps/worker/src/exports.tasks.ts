import { type Database } from '@svc/database';
import { exportKinds } from '@svc/exports';
import { ExportPages } from '@svc/exports/store';
import { ExportUpkeep, ExportWork } from '@svc/exports/work';
import { createSealer, type MasterKey } from '@svc/runtime';
import { Counter, gaugeAtScrape, type Logger, type Registry } from '@svc/runtime/observability';
import { type ObjectStore } from '@svc/storage';
import { writeExport } from './exports/write-export';

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

interface Keepers {
  readonly upkeep: Pick<
    ExportUpkeep,
    'cancelOrphaned' | 'expire' | 'leftovers' | 'noteDeleted' | 'deleteRecords' | 'countEnded'
  >;
  readonly store: Pick<ObjectStore, 'delete'>;
  readonly metrics: Pick<ExportMetrics, 'countEnded'>;
}

/** Cancels, expires and counts exports, and deletes what is not kept of them (docs/reference/exports.md#states). */
export async function keepUpExports({
  upkeep,
  store,
  metrics,
}: Keepers): Promise<{ readonly more: boolean }> {
  await upkeep.cancelOrphaned();
  await upkeep.expire();
  metrics.countEnded(await upkeep.countEnded());
  for (const { exportId, objectKey } of await upkeep.leftovers()) {
    await store.delete(objectKey);
    await upkeep.noteDeleted(exportId);
  }
  await upkeep.deleteRecords();
  return { more: false };
}

const OUTCOMES = ['completed', 'failed', 'cancelled'];

/** Metrics of exports. */
export class ExportMetrics {
  private readonly ended: Counter<'kind' | 'outcome'>;
  private readonly rows: Counter;

  constructor(registry: Registry, upkeep: Pick<ExportUpkeep, 'countRunning'>, logger: Logger) {
    this.ended = new Counter({
      name: 'svc_exports_total',
      help: 'Exports that ended, by kind and outcome.',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    });
    // A series that appears only with its first export would not be seen to rise.
    for (const kind of exportKinds) {
      for (const outcome of OUTCOMES) this.ended.inc({ kind, outcome }, 0);
    }
    this.rows = new Counter({
      name: 'svc_export_rows_total',
      help: 'Rows that were written to parts of exports.',
      registers: [registry],
    });
    gaugeAtScrape({
      name: 'svc_exports_running',
      help: 'Exports of all organizations that are being written.',
      registry,
      logger,
      read: async (gauge) => {
        gauge.set(await upkeep.countRunning());
      },
    });
  }

  countEnded(ended: readonly { readonly kind: string; readonly outcome: string }[]): void {
    for (const labels of ended) this.ended.inc({ ...labels });
  }

  countRows(count: number): void {
    this.rows.inc(count);
  }
}
