import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
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

/** The folder of its program, for all spec files that this process runs. */
function builtOnce(): string {
  const built = join(tmpdir(), `svc-second-thread-${String(process.pid)}`);
  if (existsSync(built)) return built;
  const draft = mkdtempSync(join(tmpdir(), 'svc-second-thread-'));
  buildProjects(PROJECTS, draft);
  renameSync(draft, built);
  process.once('exit', () => {
    rmSync(built, { recursive: true });
  });
  return built;
}
