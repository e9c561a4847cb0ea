import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MortalOptions } from './mortal-dispatcher';

const ROOT = join(__dirname, '../../../..');

/** The dispatcher built, as the service's own is, to run in processes that a spec may kill. */
export class BuiltDispatcher {
  private readonly folder = mkdtempSync(join(tmpdir(), 'svc-dispatcher-'));
  private readonly children: ChildProcess[] = [];

  constructor() {
    const swc = createRequire(__filename).resolve('@swc/cli/bin/swc.js');
    const sources = ['apps/dispatcher/src', 'libs'];
    const outcome = spawnSync(
      process.execPath,
      [swc, ...sources, '--out-dir', this.folder, '--config-file', '.swcrc', '--quiet'],
      { cwd: ROOT, encoding: 'utf8' },
    );
    if (outcome.status !== 0) throw new Error(outcome.stderr);
    symlinkSync(join(ROOT, 'node_modules'), join(this.folder, 'node_modules'));
  }

  spawn(options: MortalOptions): ChildProcess {
    const program = join(this.folder, 'apps/dispatcher/src/testing/mortal-dispatcher.js');
    const child = spawn(process.execPath, ['-r', 'reflect-metadata', program, JSON.stringify(options)], {
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.children.push(child);
    return child;
  }

  async close(): Promise<void> {
    for (const child of this.children) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    }
    rmSync(this.folder, { recursive: true });
  }
}
