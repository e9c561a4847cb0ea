import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildProjects } from '@svc/testing';
import { type JobThread, SecondThread } from '../second-thread/second-thread';

const PROJECTS = ['apps/edge', 'libs/catalog', 'libs/protocol', 'libs/kernel'];

/** The second thread. Its program is built before its first job, like the service's own. */
export class BuiltThread implements JobThread {
  private thread: SecondThread | null = null;

  constructor(private readonly heapMib?: number) {}

  run: SecondThread['run'] = (kind, job) => {
    this.thread ??= new SecondThread(
      join(builtOnce(), 'apps/edge/src/second-thread/second-thread-program.js'),
      this.heapMib,
    );
    return this.thread.run(kind, job);
  };

  async close(): Promise<void> {
    await this.thread?.close();
  }
}

const kept = new BuiltThread();
afterAll(() => kept.close());

/** One for all edges of a spec file, one after another: it has loaded the tokenizers, which takes longer than most tests. */
export const keptThread: JobThread = { run: kept.run, close: () => Promise.resolve() };

/** Of this process, for all spec files that it runs. */
const BUILT = Symbol.for('svc.built-second-thread');
const ofThisProcess = globalThis as { [BUILT]?: string };

/** @returns the folder of its program. */
function builtOnce(): string {
  const built = ofThisProcess[BUILT];
  if (built !== undefined) return built;
  const folder = mkdtempSync(join(tmpdir(), 'svc-second-thread-'));
  buildProjects(PROJECTS, folder);
  process.once('exit', () => {
    rmSync(folder, { recursive: true });
  });
  return (ofThisProcess[BUILT] = folder);
}
