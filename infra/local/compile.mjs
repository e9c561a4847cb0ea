// `node infra/local/compile.mjs <folders of projects> [--out-dir <folder>]`: compiles their sources into dist/, or there.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isProgram, root } from './workspace.mjs';

const COMPILED = /(?<!\.(spec|contract)|\.d)\.ts$/;

/** The files of a project that are compiled, relative to the root. */
export const sourcesOf = (project) =>
  readdirSync(join(root, project, 'src'), { recursive: true })
    .filter((file) => COMPILED.test(file))
    .map((file) => join(project, 'src', file));

/** The path of a source's output, relative to the root. */
export const compiledAt = (source) => join('dist', source.replace(COMPILED, '.js'));

/** @throws Error from SWC, which shows the place. */
export async function compile(sources, outDir = 'dist') {
  const { transformFile } = await import('@swc/core');
  const { exclude: _specs, ...settings } = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
  const jsc = { ...settings.jsc, baseUrl: root };
  await Promise.all(
    sources.map(async (source) => {
      const target = resolve(root, outDir, relative('dist', compiledAt(source)));
      const sourceFileName = relative(dirname(target), join(root, source));
      const options = { ...settings, jsc, swcrc: false, cwd: root, sourceFileName };
      const { code, map } = await transformFile(join(root, source), options);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, `${code}\n//# sourceMappingURL=${basename(target)}.map`);
      writeFileSync(`${target}.map`, map);
    }),
  );
}

if (isProgram(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'out-dir': { type: 'string' } },
  });
  await compile(positionals.flatMap(sourcesOf), values['out-dir']);
}
