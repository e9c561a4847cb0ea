import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { loadConfig } from '@svc/runtime/config';
import { openObjectStore, storageSettings, storageVariables } from '@svc/storage';
import { BuiltProgram } from '@svc/testing';
import { z } from 'zod';
import { addCalls, askFor, fileOf, newOrganization, writingOf } from './testing/export-world';
import { type KilledOptions } from './testing/killed-writing';
import { writeExport } from './write-export';

const ROWS = 150_000;
const KILLS = 10;
const folder = mkdtempSync(join(tmpdir(), 'svc-worker-'));
/** A folder; the server of `npm run test:separate` there. */
const storage = storageSettings(
  loadConfig(z.object({ SVC_DATA_DIR: z.string(), ...storageVariables }), {
    SVC_DATA_DIR: folder,
    ...(JSON.parse(process.env['SVC_TEST_STORAGE'] ?? '{}') as Record<string, string>),
  }),
);

let test: TestDatabase;
let program: BuiltProgram<KilledOptions>;
let owner: string;
beforeAll(async () => {
  program = new BuiltProgram('apps/worker/src/exports/testing/killed-writing.ts');
  test = await openTestDatabase();
  owner = await newOrganization(test.database);
  await addCalls(test.database, ROWS);
});
afterAll(async () => {
  await program.close();
  await test.close();
  rmSync(folder, { recursive: true });
});

/** Kills a worker at a random moment of its work. @returns whether it was still at work. */
async function killOnce(options: KilledOptions): Promise<boolean> {
  const child = program.spawn(options);
  const exited = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), exited]);
  await Promise.race([setTimeout(Math.random() * 900), exited]);
  child.kill('SIGKILL');
  const [, signal] = (await exited) as [number | null, string | null];
  return signal === 'SIGKILL';
}

it.each([
  ['none', 7],
  ['gzip', 3],
] as const)(
  'compressed by %s, a file whose workers were killed ten times is the file that nobody interrupted, byte for byte',
  async (compression, partsMin) => {
    const { database } = test;
    const whole = await askFor(database, owner, { kind: 'requests', compression });
    const writing = writingOf(database, await openObjectStore(storage));
    while ((await writeExport(writing)).more);

    const killed = await askFor(database, owner, { kind: 'requests', compression });
    // Else a slow machine would see each kill in the first part.
    await writeExport(writing);
    for (let kills = 0; kills < KILLS; kills++) {
      expect(await killOnce({ databaseUrl: test.url, storage })).toBe(true);
      // The tries are not what this is about.
      await database.pool.query('UPDATE exports SET fruitless_claims = 0, lease_until = NULL');
    }
    while ((await writeExport(writing)).more);

    const { prisma } = database;
    const [one, other] = [
      await prisma.export.findUniqueOrThrow({ where: { id: whole }, include: { parts: true } }),
      await prisma.export.findUniqueOrThrow({ where: { id: killed }, include: { parts: true } }),
    ];
    expect(one.parts.length).toBeGreaterThanOrEqual(partsMin);
    expect(other).toMatchObject({ state: 'completed', rowCount: BigInt(ROWS), sha256: one.sha256 });
    expect(other.parts.map(({ bytes }) => bytes)).toEqual(one.parts.map(({ bytes }) => bytes));
    const [file, interrupted] = [
      await fileOf(database, writing.store, whole),
      await fileOf(database, writing.store, killed),
    ];
    expect(interrupted.equals(file)).toBe(true);
  },
);
