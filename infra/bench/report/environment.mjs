// Describes the machine of a run.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { git } from '../../local/git.mjs';
import { root } from '../../local/workspace.mjs';

const versionOf = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).version;
const outputOf = (program, ...args) => execFileSync(program, args, { cwd: root, encoding: 'utf8' }).trim();

export function describeEnvironment({ node, pinning, postgresqlVersion }) {
  return {
    machine: {
      cpu: cpus()[0].model.trim(),
      cores: cpus().length,
      memoryGigabytes: Math.round(totalmem() / 2 ** 30),
      system: `${type()} ${release()}`,
      pinning,
    },
    versions: {
      commit: commit(),
      node: outputOf(node, '--version').slice(1),
      fastify: versionOf('node_modules/fastify'),
      undici: versionOf('node_modules/undici'),
      postgresql: postgresqlVersion,
      redis: /v=(\S+)/.exec(outputOf('redis-server', '--version'))?.[1] ?? 'unknown',
      '@portkey-ai/gateway': JSON.parse(readFileSync(join(root, 'infra/bench/peers/package.json'), 'utf8'))
        .dependencies['@portkey-ai/gateway'],
    },
  };
}

/** Null outside a clone. */
function commit() {
  const hash = git('rev-parse', '--short=10', 'HEAD');
  // Reports of earlier runs do not count as changes.
  const changed = git('status', '--porcelain', '--', '.', ':!docs/benchmarks');
  return hash && hash + (changed === '' ? '' : ' and changes');
}
