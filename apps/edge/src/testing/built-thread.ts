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
      join(buildOnce(), 'apps/edge/src/second-thread/second-thread-program.js'),
      this.heapMib,
    );
    return this.thread.run(kind, job);
  };

  async close(): Promise<void> {
    await this.thread?.close();
  }
}

let built: string | null = null;
afterAll(() => {
  if (built !== null) rmSync(built, { recursive: true });
});

function buildOnce(): string {
  if (built !== null) return built;
  built = mkdtempSync(join(tmpdir(), 'svc-second-thread-'));
  buildProjects(PROJECTS, built);
  return built;
}
