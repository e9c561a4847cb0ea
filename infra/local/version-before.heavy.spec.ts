import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In place of a build: it says that it was here. */
const BUILD = `import { writeFileSync } from 'node:fs'; writeFileSync('built', process.argv[2]);`;
const PROGRAM = `import { buildVersionBefore } from './infra/local/version-before.mjs';
buildVersionBefore().then((folder) => console.log('AT ' + folder), ({ message }) => console.log('REFUSED ' + message));`;

let clone: string;
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'svc-versions-'));
  mkdirSync(join(clone, 'infra/local'), { recursive: true });
  mkdirSync(join(clone, 'node_modules'));
  for (const name of ['version-before', 'git', 'processes', 'steps', 'workspace'])
    cpSync(join(__dirname, `${name}.mjs`), join(clone, `infra/local/${name}.mjs`));
  write('infra/local/version-before.txt', `${'0'.repeat(40)}\n`);
  write('infra/local/run.mjs', BUILD);
  write('package.json', '{ "name": "svc", "version": "0.3.0" }');
  write('package-lock.json', '{}');
  write('program.mjs', PROGRAM);
});
afterEach(() => {
  rmSync(clone, { recursive: true });
});

const write = (name: string, text: string) => {
  writeFileSync(join(clone, name), text);
};
const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: clone, encoding: 'utf8', stdio: 'pipe' });
const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
/** @returns the hash. */
const commit = (tag?: string): string => {
  run('git', 'add', '--all', 'infra', 'package.json', 'package-lock.json');
  run('git', ...author, 'commit', '--quiet', '--allow-empty', '--message', 'chore: another state');
  if (tag !== undefined) run('git', 'tag', tag);
  return run('git', 'rev-parse', 'HEAD').trim();
};
const build = () => run(process.execPath, 'program.mjs').trim().split('\n').at(-1) ?? '';
const folderOf = (hash: string) => join(clone, '.svc/version-before', hash);

it('a clone without the commit is told how to get it', () => {
  run('git', 'init', '--quiet');
  commit();
  expect(build()).toMatch(
    /^REFUSED The version before, 0{40}, is not in this clone\. .+ git fetch --unshallow --tags$/,
  );
});

it('until there is a release it is the named commit, with the packages of this clone where the lock files are equal', () => {
  run('git', 'init', '--quiet');
  const first = commit();
  write('infra/local/version-before.txt', first);
  commit('v0.3.0');
  expect(build()).toBe(`AT ${folderOf(first)}`);
  expect(readFileSync(join(folderOf(first), 'built'), 'utf8')).toBe('build');
  expect(JSON.parse(readFileSync(join(folderOf(first), 'package.json'), 'utf8'))).toEqual({
    name: 'svc',
    version: '0.0.0',
  });
  expect(lstatSync(join(folderOf(first), 'node_modules')).isSymbolicLink()).toBe(true);

  write('package-lock.json', '{ "other": true }');
  expect(build()).toBe(`AT ${folderOf(first)}`);
  expect(existsSync(join(folderOf(first), 'node_modules'))).toBe(false);
  expect(existsSync(join(clone, 'node_modules'))).toBe(true);
});

it('it is the newest release that this commit goes on from', () => {
  run('git', 'init', '--quiet');
  commit('v0.9.0');
  const newest = commit('v0.10.0');
  run('git', 'checkout', '--quiet', '-b', 'elsewhere');
  commit('v0.11.0');
  run('git', 'checkout', '--quiet', '-');
  commit();
  expect(build()).toBe(`AT ${folderOf(newest)}`);
});
