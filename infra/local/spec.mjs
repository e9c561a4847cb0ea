// `npm run spec -- <paths> [arguments for Jest]`: runs these specs, after building what has changed.
import { spawn } from 'node:child_process';
import { build } from './build.mjs';
import { install } from './installation.mjs';
import { specEnvironment } from './memory-folder.mjs';
import { exitOf } from './processes.mjs';
import { root, serviceNode } from './workspace.mjs';

await install();
await build();
const flags = [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--rootDir',
  '.',
];
const jest = spawn(serviceNode(), [...flags, ...process.argv.slice(2)], {
  cwd: root,
  env: specEnvironment(),
  stdio: 'inherit',
});
process.on('SIGTERM', () => jest.kill());
process.exit(await exitOf(jest));
