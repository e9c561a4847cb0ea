import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { git } from './git.mjs';
import { run } from './processes.mjs';
import { step } from './steps.mjs';
import { root } from './workspace.mjs';

/** The commit that counts until there is a release: the first one whose migrations are the beginning of today's. */
const FIRST = join(root, 'infra/local/version-before.txt');
const BUILDS = join(root, '.svc/version-before');
/**
 * The version that the build reports. It is lower than today's, also where the commits say the same: an older version leaves
 * alone the functions that a newer one loaded (docs/decisions/0054).
 */
const VERSION = '0.0.0';
const LOCK = 'package-lock.json';

/**
 * The version before: the newest release before this commit, or else the commit of version-before.txt. It comes from the history of
 * the clone.
 * @returns its folder, which is kept for the next time.
 * @throws Error in one line where the clone has not that commit.
 */
export function checkOutVersionBefore() {
  const commit = newestRelease() ?? readFileSync(FIRST, 'utf8').trim();
  const folder = join(BUILDS, commit);
  if (!existsSync(folder)) checkOut(commit, folder);
  return folder;
}

/**
 * Builds the version before by its own scripts, with the packages of its own lock file.
 * @returns its folder. @throws Error in one line where the clone has not its commit.
 */
export async function buildVersionBefore() {
  const folder = checkOutVersionBefore();
  shareEqualPackages(folder);
  await step(`building the version before, ${basename(folder)}`, () => buildIn(folder));
  return folder;
}

async function buildIn(folder) {
  const output = [];
  const options = { cwd: folder, onOutput: (chunk) => output.push(chunk) };
  const code = await run(process.execPath, ['infra/local/run.mjs', 'build'], options);
  if (code !== 0) throw new Error(`${Buffer.concat(output)}\nThe version before could not be built.`);
}

/** The commit of the newest release that this commit goes on from, or null. */
function newestRelease() {
  const before = ['--merged', 'HEAD', '--no-contains', 'HEAD'];
  const tags = git('tag', '--list', 'v[0-9]*', '--sort=-version:refname', ...before);
  const [newest] = tags?.split('\n') ?? [];
  return newest ? git('rev-parse', `${newest}^{commit}`) : null;
}

function checkOut(commit, folder) {
  if (git('cat-file', '-e', `${commit}^{commit}`) === null) {
    throw new Error(
      `The version before, ${commit}, is not in this clone. Get the whole history: git fetch --unshallow --tags`,
    );
  }
  const draft = `${folder}.draft`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  const archive = join(draft, 'archive.tar');
  git('archive', '--format=tar', `--output=${archive}`, commit);
  execFileSync('tar', ['-x', '-f', archive, '-C', draft]);
  rmSync(archive);
  const manifest = join(draft, 'package.json');
  const fields = JSON.parse(readFileSync(manifest, 'utf8'));
  writeFileSync(manifest, JSON.stringify({ ...fields, version: VERSION }, null, 2));
  renameSync(draft, folder);
}

/** Equal lock files mean equal packages: it takes those of this clone. Else its own build installs what it needs. */
function shareEqualPackages(folder) {
  const packages = join(folder, 'node_modules');
  const isShared = lstatSync(packages, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  const isEqual = readFileSync(join(folder, LOCK)).equals(readFileSync(join(root, LOCK)));
  // Its build must never install other packages into this clone.
  if (isShared && !isEqual) rmSync(packages);
  if (isEqual && !existsSync(packages)) symlinkSync(join(root, 'node_modules'), packages);
}
