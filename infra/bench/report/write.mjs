import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../local/processes.mjs';
import { root } from '../../local/workspace.mjs';
import { chartOf } from './chart.mjs';
import { HISTORY_HEADER, historyOf } from './history.mjs';
import { pageOf } from './page.mjs';

/** The folder for figures that the page does not show; not in the repository. */
const FIGURES = join(root, 'artifacts/bench');

/** Writes `latest.md` and `latest.svg`, and all figures as `latest.json`; beside the documents, one line a promise into `history.csv`. */
export async function writeReport(folder, report, { isPublished }) {
  const figures = isPublished ? FIGURES : folder;
  for (const each of [folder, figures]) mkdirSync(each, { recursive: true });
  writeFileSync(join(figures, 'latest.json'), `${JSON.stringify(rounded(report), null, 2)}\n`);
  writeFileSync(join(folder, 'latest.md'), pageOf(report));
  writeFileSync(join(folder, 'latest.svg'), chartOf(report));
  if (isPublished) appendHistory(join(folder, 'history.csv'), report);
  const prettier = join(root, 'node_modules/.bin/prettier');
  await run(prettier, ['--log-level', 'warn', '--write', join(folder, 'latest.md')], {
    onOutput: (chunk) => process.stderr.write(chunk),
  });
}

function appendHistory(file, report) {
  if (!existsSync(file)) writeFileSync(file, HISTORY_HEADER);
  appendFileSync(file, historyOf(report));
}

/** Five significant figures: the rest is noise. */
const rounded = (report) =>
  JSON.parse(
    JSON.stringify(report, (_, value) =>
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value,
    ),
  );
