import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const BUILT = join(__dirname, '../../../../dist/apps/console/operator');
const KB = 1000;
const files = readdirSync(join(BUILT, 'assets'));
const sizeOf = (end: string): number =>
  files
    .filter((name) => name.endsWith(`${end}.gz`))
    .reduce((sum, name) => sum + readFileSync(join(BUILT, 'assets', name)).length, 0);

/** Bytes of the built files as gzip sends them. */
describe('the built operator’s console', () => {
  it('has at most 153 kB of script and 12 kB of style in all', () => {
    expect(sizeOf('.js')).toBeGreaterThan(0);
    expect(sizeOf('.js')).toBeLessThanOrEqual(153 * KB);
    expect(sizeOf('.css')).toBeGreaterThan(0);
    expect(sizeOf('.css')).toBeLessThanOrEqual(12 * KB);
  });

  it('has no file of the console, and the console none of it', () => {
    const page = readFileSync(join(BUILT, 'index.html'), 'utf8');
    expect(page).not.toContain('/console/');
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|data:/);
    const assets = join(BUILT, 'assets');
    const [script = ''] = files.filter((name) => name.endsWith('.js'));
    expect(readFileSync(join(assets, script), 'utf8')).not.toMatch(/\/auth\/|X-CSRF-Token|\/api\/v1/);
    const consoles = join(BUILT, '../web/assets');
    const withToken = readdirSync(consoles).filter(
      (name) => name.endsWith('.js') && readFileSync(join(consoles, name), 'utf8').includes('/platform/v1'),
    );
    expect(withToken).toEqual([]);
  });
});
