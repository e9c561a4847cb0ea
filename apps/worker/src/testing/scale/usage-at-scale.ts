import { type Database } from '@svc/database';
import { openTestDatabase } from '@svc/database/testing';
import { CallHourStore, MinuteUsage } from '@svc/usage/store';
import { Stopwatch } from './stopwatch';

const DAYS = 30;
const HOUR_MS = 3_600_000;
const PIECE_MS = 48 * HOUR_MS;
/** 23 in each minute of 30 days are a million rows. */
const ROWS_A_MINUTE = 23;

/**
 * `npm run bench:scale -- usage`: how long an organization with a million call minutes waits for 30 days by the hour and by the
 * day with their percentiles, before and after the worker has summed the hours up; and how long that takes the worker.
 */
async function run(): Promise<void> {
  const { database, close } = await openTestDatabase();
  try {
    await addMinutes(database);
    const stopwatch = new Stopwatch(database);
    await measure(database, stopwatch, 'before', 1);
    const hours = new CallHourStore(database);
    await stopwatch.measure('the worker sums up 30 days', async () => {
      while ((await hours.sumUp(20, 0)) > 0);
    });
    await database.background.query('VACUUM ANALYZE call_hours, call_hours_due');
    await measure(database, stopwatch, 'after', 20);
    stopwatch.report();
  } finally {
    await close();
  }
}

async function measure(
  database: Database,
  stopwatch: Stopwatch,
  when: string,
  rounds: number,
): Promise<void> {
  const usage = new MinuteUsage(database);
  const endMs = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS;
  const startMs = endMs - DAYS * 24 * HOUR_MS;
  for (let round = 0; round < rounds; round++) {
    for (const time of ['hour', 'day'] as const) {
      const query = { organizationId: 'org_1', groupBy: [time] };
      const range = { start: new Date(startMs), end: new Date(endMs) };
      await stopwatch.measure(`${when}: sums by the ${time}`, () =>
        // A statement that runs into its limit of 3.5 s counts with that.
        usage.summarize({ ...query, ...range }, 10_000).catch(() => undefined),
      );
      // In pieces, as the route reads them.
      await stopwatch.measure(`${when}: percentiles by the ${time}`, async () => {
        for (let atMs = startMs; atMs < endMs; atMs += PIECE_MS) {
          const piece = { ...query, start: new Date(atMs), end: new Date(Math.min(atMs + PIECE_MS, endMs)) };
          await Promise.allSettled([usage.durations(piece), usage.timesToFirstToken(piece)]);
        }
      });
    }
  }
}

/** Of one organization: 23 pairs of a key and a model in each minute. The current hour is among them. */
async function addMinutes({ background }: Database): Promise<void> {
  for (let day = 0; day < DAYS; day++) {
    await background.query(
      `INSERT INTO call_minutes
       SELECT 'org_1', date_trunc('minute', now()) - ($1 * 1440 + ago) * interval '1 min', '', 'key_' || n, 'acme/' || n % 5, 'acme',
         '00000000-0000-4000-8000-000000000001', 50, 1, 0, 50, 500, 0, 0, 500, 0, 1000,
         '{20,21,22,23,24,25,26,30}', '{10,10,5,5,5,5,5,4}', '{15,16,17,18,20}', '{10,10,10,10,9}'
       FROM generate_series(0, 1439) AS ago, generate_series(1, $2) AS n`,
      [day, ROWS_A_MINUTE],
    );
  }
  // They were not written a moment ago.
  await background.query(`UPDATE call_hours_due SET changed_at = now() - interval '1 hour'`);
  await background.query('VACUUM ANALYZE');
}

void run();
