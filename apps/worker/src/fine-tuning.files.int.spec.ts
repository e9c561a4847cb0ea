import { TrainingFileUpkeep } from '@svc/fine-tuning/work';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemIds } from '@svc/runtime';
import { StorageError } from '@svc/storage';
import { keepUpTrainingFiles } from './fine-tuning.tasks';

const HOUR_MS = 3_600_000;

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

const organizationId = systemIds('organization');
const after = (ms: number) => new Date(Date.now() + ms);

async function plant(state: object): Promise<string> {
  const row = {
    ...{ id: systemIds('file'), organizationId, filename: 'f', partBytes: 1, keyCiphertext: Buffer.of(1) },
    ...{ creatorType: 'api_key', creatorId: 'key', state: 'processed', expiresAt: after(HOUR_MS) },
  };
  return (await test.database.prisma.trainingFile.create({ data: { ...row, ...state } })).id;
}

it('what expired, was deleted or was left by a kill goes, with its object first; the rest stays', async () => {
  const kept = [
    await plant({}),
    await plant({ state: 'uploading', expiresAt: null, uploadUntil: after(HOUR_MS) }),
  ];
  const gone = [
    await plant({ expiresAt: after(-1) }),
    await plant({ deletedAt: after(-1) }),
    await plant({ state: 'uploading', expiresAt: null, uploadUntil: after(-1) }),
  ];
  const deleted: string[] = [];
  let isDown = true;
  const store = {
    delete: (key: string) => {
      if (isDown) return Promise.reject(new StorageError('unavailable', 'down'));
      deleted.push(key);
      return Promise.resolve();
    },
  };
  const upkeep = new TrainingFileUpkeep(test.database);
  await expect(keepUpTrainingFiles({ upkeep, store })).rejects.toThrow('down');
  expect(await test.database.prisma.trainingFile.count({ where: { organizationId } })).toBe(5);

  isDown = false;
  await Promise.all([keepUpTrainingFiles({ upkeep, store }), keepUpTrainingFiles({ upkeep, store })]);
  expect([...new Set(deleted)].sort()).toEqual(
    gone.map((id) => `training-files/${organizationId}/${id}`).sort(),
  );
  const left = await test.database.prisma.trainingFile.findMany({ where: { organizationId } });
  expect(left.map(({ id }) => id).sort()).toEqual(kept.sort());
});
