// `npm start`: from a fresh clone to a running service, on any Node.js that can read this file.
import { spawn } from 'node:child_process';
import { exitOf, install, quietly, root, serviceNode } from './workspace.mjs';

const PARENT_CHECK_INTERVAL_MS = 500;

await install();
const node = serviceNode();
await quietly('building', 'nx', ['run-many', '-t', 'build', '-p', 'all-in-one']);

const service = spawn(node, ['dist/apps/all-in-one/src/main.js'], { cwd: root, stdio: 'inherit' });
let isStopping = false;
const stop = () => {
  if (!isStopping) service.kill('SIGTERM');
  isStopping = true;
};
process.on('SIGTERM', stop);
process.on('SIGINT', () => {
  // A terminal's Ctrl-C has reached the service already, which shares our process group.
  if (!process.stdin.isTTY) stop();
});
if (process.env.npm_lifecycle_event === 'start') {
  // npm killed outright forwards nothing: the service must not outlive it.
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) stop();
  }, PARENT_CHECK_INTERVAL_MS).unref();
}
process.exit(await exitOf(service));
