import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Binaries } from './binaries';
import { runAs, type ServerAccount, serverAccountFor } from './server-account';

export const SUPERUSER = 'svc';

/** The files of one embedded server. */
export interface Cluster {
  readonly pgData: string;
  readonly logFile: string;
  readonly password: string;
  readonly account: ServerAccount | null;
  /** True where a crash of the machine may lose committed data. */
  readonly fast: boolean;
}

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;

/** Finds the data of earlier starts, or initialises it. */
export function prepareCluster(folder: string, binaries: Binaries, fast: boolean): Cluster {
  const pgData = join(folder, 'pgdata');
  const account = serverAccountFor(pgData);
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  give(folder, account);
  const password = readOrMakePassword(folder, account);
  const cluster = { pgData, logFile: join(folder, 'server.log'), password, account, fast };
  if (!existsSync(pgData)) initialise(folder, cluster, binaries);
  return cluster;
}

function readOrMakePassword(folder: string, account: ServerAccount | null): string {
  const file = passwordFile(folder);
  if (!existsSync(file)) {
    const draft = `${file}.new`;
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: OWNER_ONLY_FILE });
    give(draft, account);
    renameSync(draft, file);
  }
  return readFileSync(file, 'utf8');
}

/** Works in a temporary folder, so that a start that is killed half-way leaves nothing that looks finished. */
function initialise(folder: string, { pgData, account, fast }: Cluster, { initdb }: Binaries): void {
  const draft = join(folder, 'pgdata.new');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: OWNER_ONLY_FOLDER });
  give(draft, account);
  const settings = [
    ...['--pgdata', draft, '--username', SUPERUSER, '--pwfile', passwordFile(folder)],
    ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--locale', 'C', '--no-instructions'],
    // Each iteration costs both sides of each connection; they slow whoever guesses, and nobody guesses 256 random bits.
    ...['--set', 'scram_iterations=1'],
    ...(fast ? ['--no-sync'] : []),
  ];
  const { program, args, ...identity } = runAs(account, initdb, settings, [draft]);
  // The account may not be able to enter our working directory.
  const made = spawnSync(program, args, { ...identity, cwd: '/', encoding: 'utf8' });
  if (made.status !== 0) {
    throw new Error(`initdb failed: ${made.error?.message ?? made.stderr.trim()}`, { cause: made.error });
  }
  renameSync(draft, pgData);
}

function give(path: string, account: ServerAccount | null): void {
  if (account !== null) chownSync(path, account.uid, account.gid);
}

const passwordFile = (folder: string): string => join(folder, 'password');
