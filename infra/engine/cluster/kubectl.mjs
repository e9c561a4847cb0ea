import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The namespace of the overlay `dev`. */
export const NAMESPACE = 'svc-dev';
/** Longer than any wait for a cluster. */
const PROGRAM_MS = 900_000;
/** Has Node.js, and is on the node anyway. */
export const NODE_IMAGE = 'svc-simulator:local';

/**
 * Runs a program that talks to the cluster.
 * @returns what it printed. @throws Error with what it says, where it fails.
 */
export function run(program, args, { input = '', cwd } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'], timeout: PROGRAM_MS });
    const [out, err] = [[], []];
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.stderr.on('data', (chunk) => err.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      const printed = String(Buffer.concat(out));
      if (code === 0) return resolve(printed);
      reject(
        new Error(`${program} ${args.slice(0, 6).join(' ')}: ${Buffer.concat(err)}${printed.slice(-2_000)}`),
      );
    });
    child.stdin.on('error', () => undefined).end(input);
  });
}

export const kubectl = (...args) => run('kubectl', args);
/** In the namespace of the overlay `dev`. */
export const inDev = (...args) => kubectl('--namespace', NAMESPACE, ...args);
export const listed = async (...args) => JSON.parse(await kubectl('get', ...args, '--output', 'json')).items;
export const apply = (...items) =>
  run('kubectl', ['apply', '--filename', '-'], {
    input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
  });

/** The arguments of Node.js that run a program of `in-pods`. */
export const programOf = (name, ...args) => [
  'node',
  '--input-type=module',
  '--eval',
  readFileSync(join(import.meta.dirname, 'in-pods', `${name}.mjs`), 'utf8'),
  '--',
  ...args,
];

export const shortId = () => randomBytes(3).toString('hex');

/** Tries until it does not throw. @throws what it threw last. */
export async function eventually(work, timeoutMs, everyMs = 2_000) {
  for (const deadline = Date.now() + timeoutMs; ; await pause(everyMs)) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
