import { existsSync, mkdtempSync, readdirSync, rmSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endWithTheRun } from './ended-with-the-run.mjs';

const ENDED_WITHIN_MS = 30_000;
const POLL_MS = 50;

/**
 * A folder in which each process of Jest keeps the service that its spec files share (apps/e2e/src/harness/worker-service.ts).
 * A keeper ends the service once that process has ended; the run is over when all have.
 */
export function sharedServices() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-e2e-shared-'));
  chmodSync(folder, 0o755);
  endWithTheRun(async () => {
    // Where Jest runs the specs in this process.
    await globalThis.svcOfThisWorker?.end();
    const deadline = Date.now() + ENDED_WITHIN_MS;
    while (readdirSync(folder).length > 0 && Date.now() < deadline) await pause(POLL_MS);
    if (existsSync(folder)) rmSync(folder, { recursive: true });
  });
  return folder;
}
