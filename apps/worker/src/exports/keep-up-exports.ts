import { type ExportUpkeep } from '@svc/exports/work';
import { type ObjectStore } from '@svc/storage';
import { type ExportMetrics } from './export-metrics';

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
