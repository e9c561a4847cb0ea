import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { startKeeper, type Keeper } from '@svc/testing';
import { sharedServicesOfThisRun } from './config';

/** A folder of a service that outlives its spec file. */
interface KeptFolder extends Keeper {
  readonly path: string;
}

/** Kills the service whose process id is in the file `pid`, and its database in `data`; removes the folder. */
const KEEPER = `
  service=$(cat "$1/pid") && kill -KILL "$service"
  database=$(head -n 1 "$1/data/postgres/pgdata/postmaster.pid") && kill -QUIT "$database"
  for pid in $service $database; do while kill -0 "$pid"; do sleep 0.05; done; done
  rm -rf "$1"`;

export function newKeptFolder(): KeptFolder {
  const path = mkdtempSync(join(sharedServicesOfThisRun(), 'service-'));
  // PostgreSQL runs under an account of its own.
  chmodSync(path, 0o755);
  return { path, ...startKeeper(KEEPER, [path]) };
}
