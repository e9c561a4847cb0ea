import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { exitOf, outputOf, programOf, spawnProgram } from '../harness/app-process';
import { cleanEnvironment } from '../harness/config';
import { temporaryFolder } from '../harness/temporary-folder';

const PROGRAM = join(__dirname, 'start-and-call.mjs');
const ONLY_LOOPBACK = ['--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];
const hasNamespaces = spawnSync('unshare', [...ONLY_LOOPBACK, 'true']).status === 0;

it('the service starts and serves where there is no network, and asks for no host but this one', async () => {
  const env = { SVC_PORT: '0', SVC_DATA_DIR: join(await temporaryFolder(), 'data') };
  const args = [PROGRAM, programOf('all-in-one')];
  // Without namespaces the hosts alone tell.
  const child = hasNamespaces
    ? spawn('unshare', [...ONLY_LOOPBACK, process.execPath, ...args], { env: cleanEnvironment(env) })
    : spawnProgram(args, env);
  const output = outputOf(child);
  await exitOf(child);
  const said = output.text.trim().split('\n').at(-1) ?? '';
  const { hosts, ...ends } = JSON.parse(said) as { hosts: string[]; status: number; code: number };
  expect(ends).toEqual({ status: 200, code: 0 });
  // Of the simulator, whose calls prove that hosts are recorded.
  expect(hosts).toContain('127.0.0.1');
  expect(hosts.filter((host) => !['127.0.0.1', 'localhost', '::1'].includes(host))).toEqual([]);
});
