// `npm run reset-password -- owner@example.com`: prints a link with which the user sets a new password.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { build } from './build.mjs';
import { exitOf } from './processes.mjs';
import { root, serviceNode } from './workspace.mjs';

await build();
const program = join(root, 'dist/apps/all-in-one/src/reset-password/reset-password.js');
process.exit(await exitOf(spawn(serviceNode(), [program, ...process.argv.slice(2)], { stdio: 'inherit' })));
