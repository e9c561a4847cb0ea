import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.mjs';

/**
 * The commands of a page, under a heading of the second level: what its blocks of shell say, in their order.
 * @throws Error where the heading has none.
 */
export function commandsOfPage(page, heading) {
  const text = readFileSync(join(root, page), 'utf8');
  const section = text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```sh not-run\n([^]*?)^```$/gm)].map(([, commands]) => commands);
  if (blocks.length === 0) throw new Error(`${page} has no commands under ${heading}.`);
  return blocks;
}
