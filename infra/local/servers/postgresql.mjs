import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages, isOnPath } from './programs.mjs';

const DEBIAN_VERSIONS = '/usr/lib/postgresql';
const OWNER = 'svc';
const DATABASE = 'svc';
/** The data is for tests and trials: it need not survive a power cut. */
const SETTINGS = { fsync: 'off', max_connections: 300, unix_socket_directories: '' };

export const postgresql = {
  name: 'postgresql',
  portCount: 1,
  /** Stops without waiting for clients to disconnect. */
  stopSignal: 'SIGINT',
  /** Stops at once; after a SIGKILL, its child processes would run on for a while. */
  killSignal: 'SIGQUIT',

  install: () => installPackages(existsSync(program('initdb')) || isOnPath('initdb') ? [] : ['postgresql']),

  prepare(folder, [port]) {
    const data = join(folder, 'data');
    if (!existsSync(join(data, 'PG_VERSION'))) initialise(folder, data);
    const settings = { ...SETTINGS, port, listen_addresses: '127.0.0.1' };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return asServerAccount(program('postgres'), ['-D', data, ...args]);
  },

  async isReady(_folder, [port]) {
    const at = ['-h', '127.0.0.1', '-p', String(port)];
    if (spawnSync(program('pg_isready'), [...at, '-q']).status !== 0) return false;
    const { status, stderr } = spawnSync(program('createdb'), [...at, '-U', OWNER, DATABASE]);
    return status === 0 || String(stderr).includes('already exists');
  },

  variables: ([port]) => ({ SVC_DATABASE_URL: `postgresql://${OWNER}@127.0.0.1:${port}/${DATABASE}` }),
};

/** Debian keeps most of PostgreSQL's programs off the PATH, one folder a version. */
function program(name) {
  const versions = existsSync(DEBIAN_VERSIONS) ? readdirSync(DEBIAN_VERSIONS) : [];
  const newest = versions
    .map(Number)
    .filter(Boolean)
    .sort((a, b) => b - a)[0];
  return newest === undefined ? name : join(DEBIAN_VERSIONS, String(newest), 'bin', name);
}

function initialise(folder, data) {
  mkdirSync(folder, { recursive: true });
  if (isRoot()) chownSync(folder, ...serverAccount());
  const options = ['-U', OWNER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const { program: path, args } = asServerAccount(program('initdb'), ['-D', data, ...options]);
  execFileSync(path, args, { cwd: '/', encoding: 'utf8', stdio: 'pipe' });
}

const isRoot = () => process.getuid?.() === 0;
const serverAccount = () =>
  ['-u', '-g'].map((which) => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' })));

/**
 * PostgreSQL refuses to run as root. Its account may lack access to this clone, so it gets the capability to bypass
 * file permissions.
 */
function asServerAccount(path, args) {
  if (!isRoot()) return { program: path, args };
  const [uid, gid] = serverAccount();
  const identity = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
  const passage = ['--securebits', '+no_setuid_fixup', '--inh-caps', '+dac_override'];
  return {
    program: 'setpriv',
    args: [...identity, ...passage, '--ambient-caps', '+dac_override', '--', path, ...args],
  };
}
