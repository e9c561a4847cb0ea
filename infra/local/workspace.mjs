import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

const bin = join(root, 'node_modules/.bin');
export const systemPath = process.env.PATH.split(delimiter)
  .filter((folder) => folder !== bin)
  .join(delimiter);

/** The workspace's tools come first, with the pinned Node. No tool may prompt, send telemetry or redraw lines. */
export const toolEnv = {
  ...process.env,
  PATH: [bin, systemPath].join(delimiter),
  NX_DAEMON: 'false',
  NX_NO_CLOUD: 'true',
  NX_TUI: 'false',
  CHECKPOINT_DISABLE: '1',
  ...(process.stdout.isTTY ? {} : { FORCE_COLOR: '0' }),
};

/** Whether a module was started as the program, not imported. */
export const isProgram = (url) =>
  process.argv[1] !== undefined && url === pathToFileURL(realpathSync(process.argv[1])).href;

/** Node.js's compile cache of the services' files, so that the next start need not compile them again. */
export const compileCache = join(root, 'node_modules/.cache/node');

export const say = (line) => process.stdout.write(`${line}\n`);
export const secondsSince = (startedAtMs) => `${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`;

/** The packages of a lock file of npm, by their paths; none where there is no such file. */
export function packagesIn(lockFile) {
  const file = join(root, lockFile);
  if (!existsSync(file)) return new Map();
  const packages = Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages);
  return new Map(packages.filter(([path]) => path !== ''));
}

/** The Node that the services run on: the pinned one from npm, else the machine's if it is new enough. */
export function serviceNode() {
  const { platform, arch } = process;
  try {
    return createRequire(import.meta.url).resolve(`node-${platform}-${arch}/bin/node`);
  } catch {
    requireNewNode();
    return process.execPath;
  }
}

/** Ends this process where npm has no Node for this machine, and the machine's own is too old. */
export function requireServiceNode() {
  const { platform, arch } = process;
  if (!packagesIn('package-lock.json').has(`node_modules/node-${platform}-${arch}`)) requireNewNode();
}

function requireNewNode() {
  const { platform, arch, version, versions } = process;
  const [major, minor] = versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return;
  say(`Node.js 22.19 or later is needed on ${platform}-${arch}; this is ${version}.`);
  process.exit(1);
}
