// `node infra/local/run.mjs <script of package.json> [arguments]`: installs what the script needs, and runs it. It is the
// only module that a clone without packages loads: what a script imports is there when the script is.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { install } from './installation.mjs';
import { scripts, usageOf } from './scripts.mjs';
import { root, say } from './workspace.mjs';

const [name, ...args] = process.argv.slice(2);
if (!Object.hasOwn(scripts, name)) {
  say(`Say which: ${Object.keys(scripts).join(', ')}`);
  process.exit(2);
}
if (args.includes('--help') || args.includes('-h')) {
  process.stdout.write(usageOf(name));
  process.exit();
}
const { entry, isLean = false } = scripts[name];
process.chdir(root);
await install({ isForDevelopment: !isLean });
// The script is the program, with its own arguments.
const file = join(root, entry);
process.argv.splice(1, process.argv.length, file, ...args);
await import(pathToFileURL(file).href);
