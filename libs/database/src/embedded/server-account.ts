import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** PostgreSQL refuses to run as root, so root runs it under another account. Null: it runs under ours. */
export interface ServerAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly uid?: number;
  readonly gid?: number;
}

const PREFERRED_ACCOUNTS = ['postgres', 'nobody'];

/** PostgreSQL finds its programs with access(2). There the kernel ignores capabilities unless this bit is set. */
const LEND_PASSAGE = [
  ...['--securebits', '+no_setuid_fixup'],
  ...['--inh-caps', '+dac_override', '--ambient-caps', '+dac_override'],
];

/**
 * The account that the server runs under: the owner of existing data, else `postgres`, else `nobody`.
 * @param dataFolder need not exist.
 */
export function serverAccountFor(dataFolder: string): ServerAccount | null {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(dataFolder, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) {
    return { name: `uid ${String(owner.uid)}`, uid: owner.uid, gid: owner.gid };
  }
  const accounts = readAccounts();
  for (const name of PREFERRED_ACCOUNTS) {
    const account = accounts.find((candidate) => candidate.name === name);
    if (account !== undefined) return account;
  }
  throw new Error('PostgreSQL cannot run as root and there is no account postgres or nobody to run it as');
}

/**
 * The command to run as the account. Where the account may not enter a folder on the path (a clone under /root), it
 * gets the one capability that allows this.
 * @throws Error in one line where that is not possible.
 */
export function runAs(
  account: ServerAccount | null,
  program: string,
  args: readonly string[],
  reaches: readonly string[],
): Command {
  if (account === null) return { program, args };
  const { name, uid, gid } = account;
  const closed = [program, ...reaches]
    .map((path) => closedFolderOn(path, account))
    .find((path) => path !== null);
  if (closed === undefined) return { program, args, uid, gid };
  if (spawnSync('setpriv', [...LEND_PASSAGE, 'true']).status !== 0) {
    throw new Error(
      `PostgreSQL cannot run as root, and ${name} may not enter ${closed}: ` +
        'install setpriv (util-linux), move to a folder open to all, or name a server in SVC_DATABASE_URL',
    );
  }
  const identity = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
  return { program: 'setpriv', args: [...identity, ...LEND_PASSAGE, '--', program, ...args] };
}

/** The topmost folder above the path that the account may not enter; null when there is none. */
function closedFolderOn(path: string, { uid, gid }: ServerAccount): string | null {
  const folder = dirname(path);
  if (folder === path) return null;
  const above = closedFolderOn(folder, { name: '', uid, gid });
  if (above !== null) return above;
  const { mode, uid: owner, gid: group } = statSync(folder);
  const mayPass = owner === uid ? mode & 0o100 : group === gid ? mode & 0o010 : mode & 0o001;
  return mayPass === 0 ? folder : null;
}

function readAccounts(): readonly ServerAccount[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}
