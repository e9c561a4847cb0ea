import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../../local/workspace.mjs';
import { chartOf } from './chart.mjs';
import { pageOf } from './page.mjs';

/** Writes `latest.json`, `latest.md` and `latest.svg`, formatted as everything in the workspace is. */
export async function writeReport(folder, report) {
  mkdirSync(folder, { recursive: true });
  const files = {
    'latest.json': `${JSON.stringify(rounded(report), null, 2)}\n`,
    'latest.md': pageOf(report),
    'latest.svg': chartOf(report),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const texts = ['latest.json', 'latest.md'].map((name) => join(folder, name));
  const prettier = join(root, 'node_modules/.bin/prettier');
  await run(prettier, ['--log-level', 'warn', '--write', ...texts], {
    onOutput: (chunk) => process.stderr.write(chunk),
  });
}

/** Five significant figures: the rest is noise, and would make every line of a later run another one. */
const rounded = (report) =>
  JSON.parse(
    JSON.stringify(report, (_, value) =>
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value,
    ),
  );
