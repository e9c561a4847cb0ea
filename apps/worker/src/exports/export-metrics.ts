import { exportKinds } from '@svc/exports';
import { type ExportUpkeep } from '@svc/exports/work';
import { Counter, gaugeAtScrape, type Logger, type Registry } from '@svc/runtime/observability';

const OUTCOMES = ['completed', 'failed', 'cancelled'];

/** What operators see of exports. */
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
