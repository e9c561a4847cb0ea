import { join } from 'node:path';
import { isShared } from '../jest/shared-modules.cjs';
import { readRepository } from './repository';

const root = join(__dirname, '../..');
/** Results that are computed once, and would be the same again; and how far the making of ids has come. */
const CACHES = [
  'apps/edge/src/second-thread/collect-garbage.ts: collect',
  'apps/edge/src/second-thread/tokenizer.ts: tokenizer',
  'libs/runtime/src/process/package-version.ts: known',
  'libs/runtime/src/system.ts: counter',
  'libs/runtime/src/system.ts: lastMs',
  'libs/runtime/src/system.ts: used',
];

/** The variables that a module keeps, beyond its constants. */
const variablesOf = (code: string): readonly string[] =>
  [...code.matchAll(/^(?:export )?let (\w+)/gm)].map(([, name]) => name!);

describe('a module of a service', () => {
  it('keeps no state, so that spec files can share it', () => {
    const kept = [...readRepository(root)]
      .filter(([path]) => isShared(join(root, path)))
      .flatMap(([path, code]) => variablesOf(code).map((name) => `${path}: ${name}`));
    expect(kept.toSorted()).toEqual(CACHES);
  });

  it('that keeps a variable is named', () => {
    expect(
      variablesOf("import x from 'y';\nexport let used = 0;\nconst fixed = 1;\n  let inside = 2;\n"),
    ).toEqual(['used']);
  });
});
