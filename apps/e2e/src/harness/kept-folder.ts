import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { sharedServicesOfThisRun } from './config';

/** A folder of a service that outlives its spec file. */
interface KeptFolder {
  readonly path: string;
  /** Kills the service whose process id is in the file `pid`, and its database in `data`; removes the folder. */
  end(): Promise<void>;
}

/** However this process ends, a pipe to the keeper closes, and the keeper does the same as `end`. */
const KEEPER = `
  cat >/dev/null
  service=$(cat "$1/pid") && kill -KILL "$service"
  database=$(head -n 1 "$1/data/postgres/pgdata/postmaster.pid") && kill -QUIT "$database"
  for pid in $service $database; do while kill -0 "$pid"; do sleep 0.05; done; done
  rm -rf "$1"`;

export function newKeptFolder(): KeptFolder {
  const path = mkdtempSync(join(sharedServicesOfThisRun(), 'service-'));
  // PostgreSQL runs under an account of its own.
  chmodSync(path, 0o755);
  const keeper = spawn('sh', ['-c', KEEPER, 'sh', path], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  keeper.unref();
  (keeper.stdin as unknown as { unref(): void }).unref();
  return {
    path,
    end: async () => {
      keeper.ref();
      keeper.stdin.end();
      if (keeper.exitCode === null) await once(keeper, 'exit');
    },
  };
}
