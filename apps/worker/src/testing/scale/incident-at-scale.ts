import { type Database } from '@svc/database';
import { IncidentFanOut } from '@svc/incidents/work';
import { IncidentWorld } from '@svc/incidents/testing';
import { Stopwatch } from './stopwatch';

const ORGANIZATIONS = 100_000;

/**
 * `npm run bench:scale -- incident`: how long it takes until 100,000 organizations have been told that an incident began
 * and that it ended, and how much memory that takes. Fails unless each was told of both once.
 */
async function run(): Promise<void> {
  const world = await IncidentWorld.open();
  try {
    const { database } = world;
    await database.background.query(
      `INSERT INTO organizations (id, name) SELECT 'org_' || o, 'Acme' FROM generate_series(1, $1::int) AS o`,
      [ORGANIZATIONS],
    );
    await database.background.query('VACUUM ANALYZE organizations');
    const stopwatch = new Stopwatch(database);
    const memory = watchMemory();
    const fanOut = new IncidentFanOut(database);
    const { id } = await world.incident();
    await stopwatch.measure('all are told that it began', () => world.tell(fanOut));
    await world.update(id, { state: 'resolved' });
    await stopwatch.measure('all are told that it ended', () => world.tell(fanOut));
    stopwatch.report();
    process.stdout.write(`memory in use: ${memory.end()}\n`);
    const told = await toldOnce(database);
    process.stdout.write(`told of both once: ${String(told)} of ${String(ORGANIZATIONS)}\n`);
    if (told !== ORGANIZATIONS) process.exitCode = 1;
  } finally {
    await world.close();
  }
}

/** How many organizations have exactly the two events. */
async function toldOnce({ background }: Database): Promise<number> {
  const { rows } = await background.query<{ told: number }>(
    `SELECT count(*)::int AS told FROM (
       SELECT FROM outbox_events GROUP BY organization_id
       HAVING array_agg(type ORDER BY id) = ARRAY['incident.opened', 'incident.resolved']
     ) organizations`,
  );
  return rows[0]?.told ?? 0;
}

const SAMPLE_EVERY_MS = 100;
const MEGABYTE = 1_000_000;

/** Of the JavaScript heap, with what is not collected yet. */
function watchMemory() {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(process.memoryUsage().heapUsed / MEGABYTE), SAMPLE_EVERY_MS);
  return {
    end: () => {
      clearInterval(timer);
      const half = samples.length >> 1;
      const most = (part: readonly number[]) => `${part.reduce((a, b) => Math.max(a, b), 0).toFixed(0)} MB`;
      return `${most(samples.slice(0, half))} at most in the first half, ${most(samples.slice(half))} in the second`;
    },
  };
}

void run();
