import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exitOf, firstMatch, killed, outputOf, spawnApp } from './app-process';
import { type CatalogDocument } from './catalog-file';
import { isSeparate } from './config';
import { freePort } from './free-ports';
import { startInstallation } from './installation';
import { removeFolder, temporaryFolder } from './temporary-folder';

/** The line that says "I can serve", in the fields of contract.md section 1. */
export interface ReadyLine {
  readonly base_url: string;
  readonly api_key: string | null;
  readonly organization_id: string;
  readonly project_id: string;
  readonly owner_email: string;
  readonly owner_password: string | null;
  readonly platform_token: string | null;
}

export interface SvcOptions {
  /** A folder to keep; without it a temporary one, removed when the service ends. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Replaces the shipped catalog. */
  readonly catalog?: CatalogDocument;
}

export interface Svc {
  readonly baseUrl: string;
  /** Empty on later starts over a data folder: the service no longer knows it. */
  readonly apiKey: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly platformToken: string | null;
  readonly ready: ReadyLine;
  /** Of separate services, the edge's. */
  readonly pid: number;
  readonly dataDir: string;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL to every process; resolves when they are gone. Their database lives on, as it would for a user. */
  kill(): Promise<void>;
  /** Everything it has printed so far. */
  logs(): string;
}

const READY = /^SVC_READY (\{.*\})$/m;
const READY_TIMEOUT_MS = 90_000;
const APP = 'all-in-one';

/** Starts what the specs run against on a free port, and waits until it can serve. */
export const startSvc = (options: SvcOptions = {}): Promise<Svc> =>
  isSeparate ? startInstallation(options) : startAllInOne(options);

async function startAllInOne(options: SvcOptions): Promise<Svc> {
  const home = await temporaryFolder();
  const dataDir = options.dataDir ?? join(home, 'data');
  const child = spawnApp(APP, await environment(home, dataDir, options));
  const output = outputOf(child);
  const ready = JSON.parse(await firstMatch(child, output, READY, READY_TIMEOUT_MS)) as ReadyLine;
  return {
    baseUrl: ready.base_url,
    apiKey: ready.api_key ?? '',
    organizationId: ready.organization_id,
    projectId: ready.project_id,
    platformToken: ready.platform_token,
    ready,
    pid: child.pid ?? 0,
    dataDir,
    stop: () => exitOf(child, 'SIGTERM').finally(() => removeFolder(home)),
    kill: () => killed(child).finally(() => removeFolder(home)),
    logs: () => output.text,
  };
}

/** Starts the service where it is expected to refuse: its exit code and all that it printed. */
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
  // Not 0: what the system gives for that, it gives to outgoing connections too, until the service listens.
  const settings = { SVC_PORT: String(await freePort()), SVC_DATA_DIR: dataDir, ...env };
  if (catalog === undefined) return settings;
  const file = join(home, 'catalog.yaml');
  // JSON is YAML.
  await writeFile(file, JSON.stringify(catalog, null, 2));
  return { ...settings, SVC_CATALOG_FILE: file };
}
