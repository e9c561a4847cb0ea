import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

const PROGRESS_INTERVAL_MS = 4_000;
const bin = join(root, 'node_modules/.bin');
const systemPath = process.env.PATH.split(delimiter).filter((folder) => folder !== bin);

/** Tools of the workspace first, the pinned Node among them; nothing that asks, phones home or draws over lines. */
export const toolEnv = {
  ...process.env,
  PATH: [bin, ...systemPath].join(delimiter),
  NX_DAEMON: 'false',
  NX_NO_CLOUD: 'true',
  NX_TUI: 'false',
  CHECKPOINT_DISABLE: '1',
  ...(process.stdout.isTTY ? {} : { FORCE_COLOR: '0' }),
};

export const say = (line) => process.stdout.write(`${line}\n`);
export const secondsSince = (startedAtMs) => `${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`;

/** Installs what package-lock.json asks for. Silent, and no call to the network, when it is there already. */
export async function install() {
  const wanted = packagesIn('package-lock.json');
  // npm writes this file when an installation is complete, and only then.
  const installed = packagesIn('node_modules/.package-lock.json');
  const isMissing = ([path, { version, optional }]) =>
    installed.has(path) ? installed.get(path).version !== version : !optional;
  if (![...wanted].some(isMissing)) return;

  const required = [...wanted].filter(([, { optional }]) => !optional).map(([path]) => path);
  const arrived = () => required.filter((path) => existsSync(join(root, path, 'package.json'))).length;
  await quietly('installing packages', 'npm', ['ci', '--include=dev', '--include=optional'], {
    // Not the Node that is about to be replaced.
    env: { ...process.env, PATH: systemPath.join(delimiter) },
    progress: () => `${arrived()} of ${required.length}`,
  });
}

function packagesIn(lockFile) {
  const file = join(root, lockFile);
  if (!existsSync(file)) return new Map();
  const packages = Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages);
  return new Map(packages.filter(([path]) => path !== ''));
}

/** The Node that the services run on: the pinned one from npm, else the machine's if it is new enough. */
export function serviceNode() {
  const pinned = join(bin, 'node');
  if (existsSync(pinned)) return pinned;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return process.execPath;
  say(`Node.js 22.19 or later is needed on ${process.platform}-${process.arch}; this is ${process.version}.`);
  process.exit(1);
}

/** Runs a tool with its output held back, and shown whole if it fails. Ends the process with its code then. */
export async function quietly(title, command, args, { env = toolEnv, progress } = {}) {
  const startedAtMs = Date.now();
  say(`${title} …`);
  const ticks = setInterval(() => {
    say(
      `${title} … ${[progress?.(), `${Math.round((Date.now() - startedAtMs) / 1000)} s`].filter(Boolean).join(', ')}`,
    );
  }, PROGRESS_INTERVAL_MS);
  const output = [];
  const code = await run(command, args, { env, onOutput: (chunk) => output.push(chunk) });
  clearInterval(ticks);
  if (code === 0) return say(`${title}: done in ${secondsSince(startedAtMs)}`);
  process.stderr.write(Buffer.concat(output));
  say(`${title}: failed (${[command, ...args].join(' ')})`);
  process.exit(code);
}

/** Runs a tool to its end, hands on its output, and resolves with its exit code. */
export async function run(command, args, { env = toolEnv, onOutput }) {
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.on('data', onOutput);
  child.stderr.on('data', onOutput);
  const stop = (signal) => {
    child.kill(signal);
    process.exit(exitCode(null, signal));
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const code = await exitOf(child);
  process.off('SIGINT', stop).off('SIGTERM', stop);
  return code;
}

/** A child's exit code once it has ended and its output is read; as shells count it when a signal ended it. */
export function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(exitCode(code, signal)));
  });
}

const exitCode = (code, signal) => code ?? 128 + constants.signals[signal];
