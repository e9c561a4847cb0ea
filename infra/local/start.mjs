// `npm start`: from a fresh clone to a running service, on any Node.js that can read this file.
import { build } from './build.mjs';
import { install } from './installation.mjs';
import { becomeService } from './service.mjs';
import { root } from './workspace.mjs';

process.chdir(root);
await install({ isForDevelopment: false });
await build();
await becomeService();
