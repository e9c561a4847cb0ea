import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const BUILT = join(__dirname, '../../../dist/apps/console/web');
const KB = 1000;
const files = readdirSync(join(BUILT, 'assets'));
const size = (name: string): number => readFileSync(join(BUILT, 'assets', `${name}.gz`)).length;
const total = (names: readonly string[]): number =>
  names.map((name) => (files.includes(`${name}.gz`) ? size(name) : 0)).reduce((sum, bytes) => sum + bytes, 0);
/** What the start page of `/console/` names: loaded before anything can be used. */
const first = [
  ...readFileSync(join(BUILT, 'overview.html'), 'utf8').matchAll(/assets\/([^"]+\.(?:js|css))"/g),
].map(([, name = '']) => name);
const ending = (names: readonly string[], end: string): string[] =>
  names.filter((name) => name.endsWith(end));

/** Bytes of the built files as gzip sends them. */
describe('the built console', () => {
  it('needs at most 133 kB of script and 12 kB of style before its first page can be used', () => {
    expect(ending(first, '.js').length).toBeGreaterThan(0);
    expect(total(ending(first, '.js'))).toBeLessThanOrEqual(133 * KB);
    expect(ending(first, '.css').length).toBeGreaterThan(0);
    expect(total(ending(first, '.css'))).toBeLessThanOrEqual(12 * KB);
  });

  it('has no chunk of a page above 30 kB', () => {
    const later = ending(files, '.js').filter(
      (name) => !first.includes(name) && files.includes(`${name}.gz`),
    );
    expect(later.length).toBeGreaterThan(0);
    expect(later.filter((name) => size(name) > 30 * KB)).toEqual([]);
  });

  it('has at most 397 kB of script and style in all', () => {
    expect(total([...ending(files, '.js'), ...ending(files, '.css')])).toBeLessThanOrEqual(397 * KB);
  });

  it('loads no font and no picture, and no more than 6 files', () => {
    expect(files.filter((name) => /\.(woff2?|ttf|png|jpe?g|gif|webp)$/.test(name))).toEqual([]);
    expect(first.length).toBeLessThanOrEqual(4);
  });
});
