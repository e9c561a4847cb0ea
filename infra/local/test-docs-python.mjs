// `npm run test:docs:python`: runs the Python of docs/connect-your-tool.md. Its clients are installed outside the
// clone.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { install } from './installation.mjs';
import { exitOf } from './processes.mjs';
import { quietly } from './steps.mjs';
import { root, serviceNode, toolEnv } from './workspace.mjs';

const folder = join(tmpdir(), 'svc-docs-python');
const program = (name) => join(folder, 'bin', name);

await install();
await build();
if (!existsSync(program('uv'))) {
  await quietly('making a virtual environment', 'python3', ['-m', 'venv', folder]);
  await quietly('installing uv', program('pip'), ['install', '--quiet', 'uv']);
}
const clients = ['--python', program('python'), '--requirement', 'infra/local/docs-python-clients.txt'];
await quietly('installing the Python clients', program('uv'), [
  'pip',
  'install',
  '--quiet',
  '--compile-bytecode',
  ...clients,
]);

const flags = [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--rootDir',
  '.',
];
const spec = ['--testTimeout', '120000', 'apps/e2e/src/docs.spec.ts', '-t', 'connect-your-tool'];
const jest = spawn(serviceNode(), [...flags, ...spec, ...process.argv.slice(2)], {
  cwd: root,
  env: { ...toolEnv, SVC_TEST_PYTHON: program('python') },
  stdio: 'inherit',
});
process.exit(await exitOf(jest));
