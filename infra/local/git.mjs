import { execFileSync } from 'node:child_process';
import { root, toolEnv } from './workspace.mjs';

/** The checkout may belong to another user than the one that runs this. */
const ANY_OWNER = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };

/** @returns what Git prints of this clone, or null where it fails. */
export function git(...args) {
  const options = { cwd: root, env: { ...toolEnv, ...ANY_OWNER }, encoding: 'utf8', stdio: 'pipe' };
  try {
    return execFileSync('git', args, options).trim();
  } catch {
    return null;
  }
}
