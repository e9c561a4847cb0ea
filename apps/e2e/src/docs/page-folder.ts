import { readdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { workspaceRoot } from '../harness/app-process';
import { cleanEnvironment } from '../harness/config';
import { removeFolder, temporaryFolder } from '../harness/temporary-folder';

/** Of the clone that ran before, not of a fresh one. */
const LEFT_OUT = new Set(['.git', '.svc', '.env', '.nx']);

/** `npm start` without its installation and build, which are behind whoever runs a spec. */
const NPM = (path: string) => `#!/bin/sh
[ "$*" = start ] && exec node dist/apps/all-in-one/src/main.js
PATH='${path}' exec npm "$@"
`;

export interface PageFolder {
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
  remove(): Promise<void>;
}

/** A folder that looks like a clone of its own to a page's commands: its files are links, its data and new files are its own. */
export async function openPageFolder(variables: Readonly<Record<string, string>>): Promise<PageFolder> {
  const path = await temporaryFolder();
  const programs = await temporaryFolder();
  for (const name of await readdir(workspaceRoot)) {
    if (!LEFT_OUT.has(name)) await symlink(join(workspaceRoot, name), join(path, name));
  }
  const base = cleanEnvironment(variables);
  const tools = [join(workspaceRoot, 'node_modules/.bin'), base['PATH']].join(delimiter);
  await writeFile(join(programs, 'npm'), NPM(tools), { mode: 0o755 });
  return {
    path,
    // Not in colour, whatever runs the specs asks for.
    env: { ...base, PATH: [programs, tools].join(delimiter), NODE_OPTIONS: '', FORCE_COLOR: '0' },
    remove: async () => {
      await removeFolder(join(path, '.svc'));
      await Promise.all([removeFolder(path), removeFolder(programs)]);
    },
  };
}
