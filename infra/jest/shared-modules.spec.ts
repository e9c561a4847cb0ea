import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SharedModules } from './shared-modules.cjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shared-modules-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** @returns what the module is to a spec file before it is edited, and to the next one after it. */
function loadedAround(isWatching: boolean): readonly unknown[] {
  const file = join(folder, 'facts.json');
  const loaded = (text: string, editedAt: Date) => {
    writeFileSync(file, text);
    utimesSync(file, editedAt, editedAt);
    const resolve = () => file;
    const compiled = () => () => undefined;
    return new SharedModules({ isWatching, resolve, compiled }).load(file);
  };
  return [loaded('"before"', new Date(1_000)), loaded('"after"', new Date(2_000))];
}

describe('the modules that spec files share', () => {
  it('are loaded anew once one was edited, while Jest watches', () => {
    expect(loadedAround(true)).toEqual(['before', 'after']);
  });

  it('are loaded once in a run that ends', () => {
    expect(loadedAround(false)).toEqual(['before', 'before']);
  });
});
