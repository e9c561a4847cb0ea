import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { build, isWebBuilt } from '../../local/build.mjs';
import { root, serviceNode } from '../../local/workspace.mjs';

const CACHE = join(root, 'node_modules/.cache/svc-migrated-data');
const SCHEMA = ['prisma/migrations', 'sql'].map((folder) => join(root, 'libs/database', folder));

/**
 * A data folder of the service with a migrated, empty database, to copy: making one takes seconds, a copy a tenth of one.
 * It is kept for later runs. Other migrations or functions, or another version of PostgreSQL, make another one.
 */
export async function migratedData() {
  // Old files of the console do for specs without a browser, but the service does not start without any.
  await build({ browserCode: !isWebBuilt() });
  const folder = join(CACHE, schemaHash(readFileSync(join(root, 'package-lock.json'))));
  if (!existsSync(folder)) make(folder);
  return folder;
}

/** The migrated database that spec files copy (libs/database/src/testing). */
export const templateName = () => `svc_template_${schemaHash()}`;

/** @param more what the hash depends on besides the migrations and the functions. */
function schemaHash(more = '') {
  const hash = createHash('sha256').update(more);
  const files = SCHEMA.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((file) => join(folder, file)),
  );
  for (const file of files.sort()) if (file.endsWith('.sql')) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** In a draft, so that a set-up that is interrupted leaves nothing that looks finished. */
function make(folder) {
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(join(CACHE, 'draft-'));
  // PostgreSQL runs under an account of its own.
  chmodSync(draft, 0o755);
  execFileSync(serviceNode(), ['infra/local/migrated-data.mjs', draft], { cwd: root });
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true });
    // Another run beside this one was faster.
    if (!existsSync(folder)) throw error;
  }
}
