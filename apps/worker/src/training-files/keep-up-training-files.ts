import { type Database } from '@svc/database';
import { TrainingFileUpkeep } from '@svc/fine-tuning/work';
import { type ObjectStore } from '@svc/storage';

interface Keepers {
  readonly upkeep: Pick<TrainingFileUpkeep, 'expire' | 'leftovers' | 'forget'>;
  readonly store: Pick<ObjectStore, 'delete'>;
}

const LOOK_EVERY_MS = 5_000;

/** Deletes training files that expired or were deleted, and what killed uploads left (docs/reference/fine-tuning.md#training-files). */
export async function keepUpTrainingFiles({ upkeep, store }: Keepers): Promise<{ readonly more: boolean }> {
  await upkeep.expire();
  for (const { fileId, objectKey } of await upkeep.leftovers()) {
    await store.delete(objectKey);
    await upkeep.forget(fileId);
  }
  return { more: false };
}

/** The periodic tasks of training files. */
export const trainingFileTasks = ({
  database,
  store,
}: {
  readonly database: Database;
  readonly store: ObjectStore;
}) => [
  {
    name: 'training-file-upkeep',
    everyMs: LOOK_EVERY_MS,
    run: keepUpTrainingFiles.bind(null, { upkeep: new TrainingFileUpkeep(database), store }),
  },
];
