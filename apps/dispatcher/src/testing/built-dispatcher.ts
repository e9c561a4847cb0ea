import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProjects } from '@svc/testing';
import { type CrashOptions } from './crashing-dispatcher';

const libs = readdirSync(join(__dirname, '../../../../libs')).map((name) => `libs/${name}`);

/** Builds the dispatcher like the service's own, to run in processes that a spec may kill. */
export class BuiltDispatcher {
  private readonly folder = mkdtempSync(join(tmpdir(), 'svc-dispatcher-'));
  private readonly children: ChildProcess[] = [];

  constructor() {
    buildProjects(['apps/dispatcher', ...libs], this.folder);
  }

  spawn(options: CrashOptions): ChildProcess {
    const program = join(this.folder, 'apps/dispatcher/src/testing/crashing-dispatcher.js');
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
