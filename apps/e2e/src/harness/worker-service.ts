import { type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@svc/testing';
import { firstMatch, outputOf, programOf, spawnLasting, type Output } from './app-process';
import { shippedCatalogFile, type CatalogDocument } from './catalog-file';
import { PAYMENT_WEBHOOK_SECRET, storageOfThisRun } from './config';
import { newKeptFolder } from './kept-folder';
import { copyMigratedData } from './migrated-data';
import { type ReadyLine } from './svc';

/** The environment of a service that most specs need. A spec that needs something else starts a service of its own. */
export const SHARED_ENVIRONMENT = {
  SVC_WEBHOOK_ALLOW_PRIVATE: 'true',
  SVC_WEBHOOK_RETRY_DELAYS: '1,1,1,1,1',
  SVC_ALERT_TICK_SECONDS: '1',
  SVC_FINE_TUNING_POLL_SECONDS: '1',
  SVC_STRIPE_WEBHOOK_SECRET: PAYMENT_WEBHOOK_SECRET,
  ...storageOfThisRun,
};
const READY = /^SVC_READY (\{.*\})$/m;
const SIMULATOR = /^ +Simulator +(http:\S+)/m;

/** The service of this process of Jest, which its spec files share, one after the other. */
export interface WorkerService {
  readonly ready: ReadyLine;
  readonly simulatorUrl: string;
  readonly dataDir: string;
  readonly pid: number;
  readonly output: Output;
  /** The model endpoints that spec files have called so far: a circuit of theirs may be open. */
  readonly calledEndpoints: Set<string>;
  isRunning(): boolean;
  /** Replaces the catalog, null by the shipped one. Resolves when it serves. */
  useCatalog(catalog: CatalogDocument | null): Promise<void>;
  /** Kills it and its database, and removes its files. */
  end(): Promise<void>;
}

/**
 * It survives the spec file that starts it: all spec files of a process have the same global object
 * (infra/jest/environment.cjs). infra/jest/set-up/shared-services.mjs ends it where Jest runs in one process.
 */
const kept = globalThis as { svcOfThisWorker?: WorkerService | undefined };

/** @param isUsable false replaces the service that runs. */
export async function workerService(
  isUsable: (running: WorkerService) => Promise<boolean>,
): Promise<WorkerService> {
  const running = kept.svcOfThisWorker;
  if (running?.isRunning() === true && (await isUsable(running))) return running;
  kept.svcOfThisWorker = undefined;
  await running?.end();
  return (kept.svcOfThisWorker = await start());
}

async function start(): Promise<WorkerService> {
  const folder = newKeptFolder();
  const dataDir = join(folder.path, 'data');
  const catalogFile = join(folder.path, 'catalog.yaml');
  await copyMigratedData(dataDir);
  writeCatalog(catalogFile, null);
  const child = spawnLasting([programOf('all-in-one')], {
    SVC_PORT: '0',
    SVC_DATA_DIR: dataDir,
    SVC_CATALOG_FILE: catalogFile,
    ...SHARED_ENVIRONMENT,
  });
  writeFileSync(join(folder.path, 'pid'), String(child.pid));
  const output = outputOf(child);
  const ready = JSON.parse(await firstMatch(child, output, READY)) as ReadyLine;
  letGo(child);
  return {
    ready,
    simulatorUrl: SIMULATOR.exec(output.text)?.[1] ?? '',
    dataDir,
    pid: child.pid ?? 0,
    output,
    calledEndpoints: new Set(),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    useCatalog: async (catalog) => {
      const before = output.text.length;
      writeCatalog(catalogFile, catalog);
      child.kill('SIGHUP');
      const line = await eventually(() => {
        const [said] = /^.*"files (?:not )?reloaded.*$/m.exec(output.text.slice(before)) ?? [];
        if (said === undefined) throw new Error('The service said nothing of its catalog.');
        return said;
      });
      if (line.includes('not reloaded')) throw new Error(`The service refused the catalog: ${line}`);
    },
    end: folder.end,
  };
}

const writeCatalog = (file: string, catalog: CatalogDocument | null): void => {
  // JSON is YAML.
  writeFileSync(file, catalog === null ? readFileSync(shippedCatalogFile) : JSON.stringify(catalog, null, 2));
};

/** Lets Jest's process exit while the service runs, which its keeper then ends. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const pipe of [child.stdout, child.stderr]) (pipe as unknown as { unref(): void } | null)?.unref();
}
