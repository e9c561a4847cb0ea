// `node infra/local/build.mjs`: installs what is missing, and compiles what has changed since the last time.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, compiledAt, sourcesOf } from './compile.mjs';
import { install } from './installation.mjs';
import { quietly, step } from './steps.mjs';
import { isProgram, root } from './workspace.mjs';

/** What the last build was made from: the state of each source, and of the files that affect every output. */
const NOTE = join(root, 'dist/built-from.json');
const SCHEMA = 'libs/persistence/prisma/schema';
const GENERATED = 'libs/persistence/src/generated';

/**
 * Brings dist/ up to date with the sources of every app and lib.
 * @returns how many files were compiled or removed.
 */
export async function build() {
  const before = readNote();
  const toolchain = ['.swcrc', 'package-lock.json'].map(stateOf).join();
  const schema = [...filesBelow(SCHEMA), 'prisma.config.ts', 'package-lock.json'].map(stateOf).join();
  if (before.schema !== schema || !existsSync(join(root, GENERATED))) {
    await quietly('generating the Prisma client', 'prisma', ['generate']);
  }
  const sources = Object.fromEntries(
    projects()
      .flatMap(sourcesOf)
      .map((file) => [file, stateOf(file)]),
  );
  const isCurrent = (file) =>
    before.toolchain === toolchain &&
    before.sources[file] === sources[file] &&
    existsSync(join(root, compiledAt(file)));
  const changed = Object.keys(sources).filter((file) => !isCurrent(file));
  const removed = Object.keys(before.sources).filter((file) => !(file in sources));
  if (changed.length + removed.length === 0 && before.schema === schema) return 0;
  await step(`building ${changed.length} files`, () => compile(changed));
  for (const file of removed) rmSync(join(root, compiledAt(file)), { force: true });
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(NOTE, JSON.stringify({ toolchain, schema, sources }));
  return changed.length + removed.length;
}

/** The projects that Nx builds too. */
const projects = () =>
  ['apps', 'libs']
    .flatMap((kind) => readdirSync(join(root, kind)).map((name) => `${kind}/${name}`))
    .filter((folder) => {
      const file = join(root, folder, 'project.json');
      return existsSync(file) && 'build' in JSON.parse(readFileSync(file, 'utf8')).targets;
    });

const filesBelow = (folder) => readdirSync(join(root, folder)).map((name) => join(folder, name));

/** Changes whenever a file is written. Not the time of modification, which copying and unpacking may set back. */
function stateOf(file) {
  const { ctimeMs, size } = statSync(join(root, file));
  return `${ctimeMs}-${size}`;
}

function readNote() {
  try {
    return JSON.parse(readFileSync(NOTE, 'utf8'));
  } catch {
    return { sources: {} };
  }
}

if (isProgram(import.meta.url)) {
  await install({ isForDevelopment: false });
  await build();
}
