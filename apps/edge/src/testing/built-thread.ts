import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JobThread, SecondThread } from '../parsing/second-thread';

const ROOT = join(__dirname, '../../../..');
const SOURCES = [
  'apps/edge/src/parsing',
  'apps/edge/src/counting',
  'apps/edge/src/dispatch',
  'libs/protocol/src',
  'libs/kernel/src',
];

/** The second thread, whose program is built, as the service's own is, before its first job. */
export class BuiltThread implements JobThread {
  private thread: SecondThread | null = null;

  run: SecondThread['run'] = (kind, job) => {
    this.thread ??= new SecondThread(join(buildOnce(), 'apps/edge/src/parsing/second-thread-program.js'));
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
  const swc = createRequire(__filename).resolve('@swc/cli/bin/swc.js');
  const outcome = spawnSync(
    process.execPath,
    [swc, ...SOURCES, '--out-dir', built, '--config-file', '.swcrc'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  if (outcome.status !== 0) throw new Error(outcome.stderr);
  symlinkSync(join(ROOT, 'node_modules'), join(built, 'node_modules'));
  return built;
}
