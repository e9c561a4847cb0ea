import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder outside of the clone into which clients are installed. When nothing has changed, nothing is installed.
 * @param wanted a file that lists what is installed.
 * @returns the folder.
 */
export async function cached(name, wanted, installInto) {
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'svc', name);
  const note = join(folder, 'installed');
  const hash = createHash('sha256').update(readFileSync(wanted)).digest('hex');
  if (existsSync(note) && readFileSync(note, 'utf8') === hash) return folder;
  mkdirSync(folder, { recursive: true });
  await installInto(folder);
  writeFileSync(note, hash);
  return folder;
}
