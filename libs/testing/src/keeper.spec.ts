import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually';
import { startKeeper } from './keeper';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-keeper-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('a keeper', () => {
  it('runs its script when it is told to, once, and not before', async () => {
    const keeper = startKeeper('rm -r "$1"', [folder]);
    expect(existsSync(folder)).toBe(true);
    await keeper.end();
    expect(existsSync(folder)).toBe(false);
    await keeper.end();
  });

  it('runs its script when its process is killed', async () => {
    const start = `require(${JSON.stringify(join(__dirname, 'keeper.ts'))}).startKeeper('rm -r "$1"', [process.argv[1]]);
      process.stdout.write('started'); setInterval(() => undefined, 60_000);`;
    const child = spawn(process.execPath, ['-e', start, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await eventually(() => expect(existsSync(folder)).toBe(false));
  });
});
