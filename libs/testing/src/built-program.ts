import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProjects, ROOT } from './build-projects';

/** A program of the specs, built as services are built, to run in processes that a spec may kill. */
export class BuiltProgram<Options> {
  private readonly folder = mkdtempSync(join(tmpdir(), 'svc-program-'));
  private readonly children: ChildProcess[] = [];

  /** @param source of the program, relative to the repository: `libs/a/src/testing/crashing.ts`. */
  constructor(private readonly source: string) {
    const libs = readdirSync(join(ROOT, 'libs')).map((name) => `libs/${name}`);
    const project = source.split('/').slice(0, 2).join('/');
    buildProjects([...new Set([project, ...libs])], this.folder);
  }

  /** Starts it with these options, as JSON in its first argument. */
  spawn(options: Options) {
    const program = join(this.folder, this.source.replace(/\.ts$/, '.js'));
    const child = spawn(process.execPath, ['-r', 'reflect-metadata', program, JSON.stringify(options)], {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.resume();
    this.children.push(child);
    return child;
  }

  /** Runs it to its end. @returns the signal that it was killed by; null where it was not. */
  async run(options: Options): Promise<string | null> {
    const [, signal] = (await once(this.spawn(options), 'exit')) as [number | null, string | null];
    return signal;
  }

  /** Kills what still runs, and removes the build. */
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
