import { readdirSync, readFileSync } from 'node:fs';
import { type Database } from '@svc/database';

interface Taken {
  readonly seconds: number;
  /** Of this process and its database server, which a busy machine does not change. Null where the server is elsewhere. */
  readonly cpuSeconds: number | null;
}

/** Measures steps of a program that has the database server on its own machine. Needs Linux for the CPU time. */
export class Stopwatch {
  private readonly taken = new Map<string, Taken[]>();

  constructor(private readonly database: Database) {}

  async measure(step: string, work: () => Promise<unknown>): Promise<void> {
    const serverId = await serverProcessId(this.database);
    const cpu = () => (serverId === null ? null : ownCpu() + serverCpu(serverId));
    const [startedAt, cpuBefore] = [performance.now(), cpu()];
    await work();
    const seconds = (performance.now() - startedAt) / 1_000;
    const cpuAfter = cpu();
    const cpuSeconds = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;
    this.taken.set(step, [...(this.taken.get(step) ?? []), { seconds, cpuSeconds }]);
  }

  /** Prints the median of each step, with the least and the most. */
  report(): void {
    for (const [step, taken] of this.taken) {
      const cpu = taken.flatMap(({ cpuSeconds }) => (cpuSeconds === null ? [] : [cpuSeconds]));
      const shown = [
        `${spread(taken.map(({ seconds }) => seconds))}`,
        ...(cpu.length > 0 ? [`CPU ${spread(cpu)}`] : []),
      ];
      process.stdout.write(`${step}: ${shown.join(', ')}\n`);
    }
  }
}

function spread(figures: readonly number[]): string {
  const sorted = figures.toSorted((a, b) => a - b);
  const [median = 0, least = 0, most = 0] = [sorted[sorted.length >> 1], sorted[0], sorted.at(-1)];
  return `${median.toFixed(2)} s (${least.toFixed(2)} to ${most.toFixed(2)})`;
}

const ownCpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** The process that has a process for each connection. */
async function serverProcessId({ background }: Database): Promise<number | null> {
  const { rows } = await background.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return processTimes(rows[0]?.pid ?? 0)?.parentId ?? null;
}

const serverCpu = (serverId: number): number =>
  readdirSync('/proc')
    .flatMap((name) => (/^\d+$/.test(name) ? [processTimes(Number(name))] : []))
    .filter((times) => times?.parentId === serverId)
    .reduce((sum, times) => sum + (times?.own ?? 0), processTimes(serverId)?.ended ?? 0);

/** Of a process, in seconds: its own time, and that of its children that have ended. */
function processTimes(id: number) {
  const TICKS_A_SECOND = 100;
  try {
    const fields =
      readFileSync(`/proc/${String(id)}/stat`, 'utf8')
        .split(') ')[1]
        ?.split(' ')
        .map(Number) ?? [];
    const [parentId, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [
      fields[1],
      ...fields.slice(11, 15),
    ];
    return {
      parentId,
      own: (user + system) / TICKS_A_SECOND,
      ended: (endedUser + endedSystem) / TICKS_A_SECOND,
    };
  } catch {
    return null;
  }
}
