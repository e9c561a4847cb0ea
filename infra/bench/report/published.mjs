// Whether the published figures are of the code of today.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { git } from '../../local/git.mjs';
import { root, say } from '../../local/workspace.mjs';

/** Sources that a call runs through between its arrival and its answer. */
const REQUEST_PATH = [
  'apps/edge/src',
  'libs/catalog/src',
  'libs/database/sql',
  'libs/kernel/src',
  'libs/ledger/src',
  'libs/limits/src',
  'libs/policy/src',
  'libs/protocol/src',
  'libs/redis/src',
  ':!**/*.spec.ts',
  ':!**/testing/**',
];

/** Says how many commits have changed the request path since the published run. @returns whether there is none */
export function publishedIsCurrent() {
  const page = readFileSync(join(root, 'docs/benchmarks/latest.md'), 'utf8');
  const commit = /^- commit ([0-9a-f]{10})/m.exec(page)?.[1];
  const newer = commit && git('rev-list', '--count', `${commit}..HEAD`, '--', ...REQUEST_PATH);
  if (newer === '0') say(`docs/benchmarks/latest.md is of today's request path: commit ${commit}.`);
  else if (!newer) say('docs/benchmarks/latest.md names no commit of this clone.');
  else {
    say(
      `docs/benchmarks/latest.md is of commit ${commit}, and ${newer} commits have changed the request path since. npm run bench measures it anew.`,
    );
  }
  return newer === '0';
}
