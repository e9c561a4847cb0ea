// `node infra/local/build.mjs`: installs what is missing, and builds what has changed since the last time.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compile, compiledAt, sourcesOf } from './compile.mjs';
import { providePrismaClient } from './generated.mjs';
import { install } from './installation.mjs';
import { step, toolStep } from './steps.mjs';
import { isProgram, root, serviceNode } from './workspace.mjs';

/** The note of the last build: the state of each source, and of the files that affect every output. */
const NOTE = join(root, 'dist/built-from.json');
/** Sources of the console's browser code, besides the packages. */
const WEB_SOURCES = ['apps/console/web', 'libs/alerts/src', 'libs/kernel/src'];
const WEB_BUILD = 'apps/console/build-web.mjs';
const WEB_BUILT = 'dist/apps/console/web/index.html';
const NOT_IN_BROWSER = /\.spec\.tsx?$|\.md$|(^|\/)generated\//;

/**
 * Brings dist/ up to date with the sources of every app and lib.
 * @param browserCode false: only what runs in Node.js.
 * @returns how many files were compiled or removed; the browser code counts as one.
 * @throws Error that shows the place of a mistake.
 */
export async function build({ browserCode = true } = {}) {
  const before = readNote();
  const toolchain = ['.swcrc', 'package-lock.json'].map(stateOf).join();
  await providePrismaClient();
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
  const note = { toolchain, sources, web: before.web };
  if (changed.length + removed.length > 0) {
    await step(`building ${changed.length} files`, () => compile(changed));
    for (const file of removed) rmSync(join(root, compiledAt(file)), { force: true });
    writeNote(note);
  }
  return changed.length + removed.length + (browserCode ? await buildWeb(note) : 0);
}

/** Whether there are files of the console, current or not. */
export const isWebBuilt = () => existsSync(join(root, WEB_BUILT));

/** @returns 1, or 0 where nothing has changed. */
async function buildWeb(note) {
  const files = [WEB_BUILD, 'package.json', 'package-lock.json', ...WEB_SOURCES.flatMap(filesBelow)];
  const web = files
    .filter((file) => !NOT_IN_BROWSER.test(file))
    .map((file) => `${file} ${stateOf(file)}`)
    .join();
  if (note.web === web && isWebBuilt()) return 0;
  await toolStep('building the console', serviceNode(), [WEB_BUILD]);
  writeNote({ ...note, web });
  return 1;
}

/** The projects that Nx builds too. */
const projects = () =>
  ['apps', 'libs']
    .flatMap((kind) => readdirSync(join(root, kind)).map((name) => `${kind}/${name}`))
    .filter((folder) => {
      const file = join(root, folder, 'project.json');
      return existsSync(file) && 'build' in JSON.parse(readFileSync(file, 'utf8')).targets;
    });

const filesBelow = (folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)));

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

function writeNote(note) {
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(NOTE, JSON.stringify(note));
}

if (isProgram(import.meta.url)) {
  await install({ isForDevelopment: false });
  await build();
}
