import { readFile } from 'node:fs/promises';
import { sleep } from '../harness/sleep';

/** Resident memory of a process in MiB. Linux only, as the service's own container is. */
export async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kibibytes === undefined) throw new Error('The process has no VmRSS line.');
  return Number(kibibytes) / 1024;
}

/** The least of several samples, so that uncollected garbage counts less. */
export async function settledMiB(pid: number): Promise<number> {
  let least = Infinity;
  for (let looks = 0; looks < 5; looks++) {
    least = Math.min(least, await residentMiB(pid));
    await sleep(200);
  }
  return least;
}
