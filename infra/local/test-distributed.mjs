// `npm run test:distributed [-- arguments for Nx]`: what takes servers of its own, started by the tests that need them.
import { spawnSync } from 'node:child_process';
import { install, run, say, serviceNode } from './workspace.mjs';

const servers = { 'redis-server': 'apt-get install redis-server' };
for (const [program, howToInstall] of Object.entries(servers)) {
  if (spawnSync(program, ['--version']).status === 0) continue;
  say(`${program} is needed on the PATH. On Debian: ${howToInstall}`);
  process.exit(1);
}

await install();
serviceNode();
const nxArgs = ['run-many', '-t', 'test-distributed', '--parallel=2', '--output-style=static'];
process.exit(
  await run('nx', [...nxArgs, ...process.argv.slice(2)], {
    onOutput: (chunk) => process.stdout.write(chunk),
  }),
);
