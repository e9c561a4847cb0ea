import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitOf, firstMatch, killed, outputOf, spawnApp } from './app-process';
import { isSeparate } from './config';
import { startInstallation } from './installation';
import { copyMigratedData } from './migrated-data';
import { installedOf, type ReadyLine, type Svc, type SvcOptions } from './svc';
import { removeFolder, temporaryFolder } from './temporary-folder';

export type { AnySvc, Svc } from './svc';

const READY = /^SVC_READY (\{.*\})$/m;
const APP = 'all-in-one';

/** Starts a service for this spec file alone, and waits until it is ready (`sharedSvc` starts none). */
export const startSvc = (options: SvcOptions = {}): Promise<Svc> =>
  isSeparate ? startInstallation(options) : startAllInOne(options);

async function startAllInOne(options: SvcOptions): Promise<Svc> {
  const home = await temporaryFolder();
  const dataDir = options.dataDir ?? join(home, 'data');
  if (options.startsFresh !== true) await copyMigratedData(dataDir);
  const child = spawnApp(APP, await environment(home, dataDir, options));
  const output = outputOf(child);
  const ready = JSON.parse(await firstMatch(child, output, READY)) as ReadyLine;
  return {
    ...installedOf(ready),
    pid: child.pid ?? 0,
    dataDir,
    stop: () => exitOf(child, 'SIGTERM').finally(() => removeFolder(home)),
    kill: () => killed(child).finally(() => removeFolder(home)),
    logs: () => output.text,
  };
}

/** Runs a start that is expected to fail. @returns its exit code and its output. */
export async function runUntilExit(
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const home = await temporaryFolder();
  const child = spawnApp(APP, await environment(home, join(home, 'data'), { env }));
  const output = outputOf(child);
  const code = await exitOf(child).finally(() => removeFolder(home));
  return { code, output: output.text };
}

async function environment(
  home: string,
  dataDir: string,
  { env, catalog }: SvcOptions,
): Promise<Record<string, string>> {
  const settings = { SVC_PORT: '0', SVC_DATA_DIR: dataDir, ...env };
  if (catalog === undefined) return settings;
  const file = join(home, 'catalog.yaml');
  // JSON is YAML.
  await writeFile(file, JSON.stringify(catalog, null, 2));
  return { ...settings, SVC_CATALOG_FILE: file };
}
