// `npm run dev`: the service, built and started again whenever a source changes.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from './build.mjs';
import { exitOf } from './processes.mjs';
import { compileCache, root, say, serviceNode } from './workspace.mjs';

/** Editors write several files at once, or one file in several steps. */
const GATHER_MS = 50;
/** A restart cuts streams that are open for longer. At the end of `npm run dev` they may finish. */
const RESTART_PATIENCE_MS = 1_000;
/** By then the service that was just started serves, and no longer needs the processor. */
const PREPARE_AFTER_MS = 3_000;

await build();
let next = null;
let service = start();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, async () => {
    next?.child.kill();
    service.child.kill('SIGTERM');
    process.exit(await service.ended);
  });
}
let isChanged = false;
let isBusy = false;
for (const folder of ['apps', 'libs']) watch(join(root, folder), { recursive: true }, onChange);

async function onChange() {
  isChanged = true;
  if (isBusy) return;
  isBusy = true;
  while (isChanged) {
    isChanged = false;
    await pause(GATHER_MS);
    await update();
  }
  isBusy = false;
}

async function update() {
  try {
    if ((await build()) === 0) return;
  } catch (error) {
    // The service that runs is kept.
    return say(error.message);
  }
  service.child.kill('SIGTERM');
  const cut = setTimeout(() => service.child.kill('SIGKILL'), RESTART_PATIENCE_MS);
  await service.ended;
  clearTimeout(cut);
  service = start();
}

/** Starts the process that has already loaded the packages, where there is one. */
function start() {
  const started = next ?? prepare();
  next = null;
  setTimeout(() => (next ??= prepare()), PREPARE_AFTER_MS);
  started.child.send('start');
  return started;
}

function prepare() {
  const child = spawn(serviceNode(), ['--enable-source-maps', 'infra/local/dev-service.cjs'], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  });
  return { child, ended: exitOf(child) };
}
