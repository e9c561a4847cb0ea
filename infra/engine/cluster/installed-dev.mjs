import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandsOfPage } from '../../local/commands-of-page.mjs';
import { root } from '../../local/workspace.mjs';
import { inDev, run } from './kubectl.mjs';

/** For the pods of a roll-out, and for the end of those that it replaces. */
export const ROLLED_TIMEOUT = '--timeout=600s';

/** Installs the overlay `dev` by the commands of docs/deploy.md, and waits until every pod is ready. */
export async function installDev() {
  await runBlocks(commandsOfPage('docs/deploy.md', 'Kubernetes').slice(0, 2));
  await untilRolledOut();
}

/** What the page has for each new version. Set-up runs beside what serves. */
export async function applyAgain() {
  await runBlocks(commandsOfPage('docs/deploy.md', 'Kubernetes').slice(1, 2));
  await untilRolledOut();
}

async function runBlocks(blocks) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-kubernetes-'));
  try {
    symlinkSync(join(root, 'infra'), join(folder, 'infra'));
    for (const commands of blocks)
      await run('bash', ['-euo', 'pipefail', '-c', forDev(commands)], { cwd: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const PASSWORD = randomBytes(24).toString('hex');
/** The page gives the commands of `production`, and says in words what is another in `dev`. */
const DIFFERENCES = [
  ['overlays/production', 'overlays/dev'],
  ['--namespace svc ', '--namespace svc-dev '],
  [
    "'postgresql://…'",
    `'postgresql://svc:${PASSWORD}@postgres:5432/svc' --from-literal POSTGRES_PASSWORD='${PASSWORD}'`,
  ],
  ["'rediss://…'", "'redis://redis:6379'"],
];
const forDev = (commands) =>
  DIFFERENCES.reduce((text, [production, dev]) => text.replaceAll(production, dev), commands);

export async function untilRolledOut() {
  const names = await inDev('get', 'deployments,statefulsets', '--output', 'name');
  for (const name of names.trim().split('\n')) await inDev('rollout', 'status', name, ROLLED_TIMEOUT);
}

/** The key that the secret `bootstrap` gave the first organization. */
export async function firstKey() {
  const encoded = await inDev(
    'get',
    'secret',
    'bootstrap',
    '--output',
    'jsonpath={.data.SVC_BOOTSTRAP_API_KEY}',
  );
  return Buffer.from(encoded, 'base64').toString();
}
