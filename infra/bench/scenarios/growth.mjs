// The cost and the writes of a call in an installation with many organizations, keys, budgets and stored calls, and in a small one.
import { chatCall } from '../candidates/requests.mjs';
import { svc } from '../candidates/svc.mjs';
import { secretOf } from '../machine/organizations.mjs';
import { measureScenario } from '../measure.mjs';
import { spreads } from '../report/summary.mjs';
import { countWritten } from './growth/count-written.mjs';
import { inWords, startInstallation } from './growth/installation.mjs';
import { ratio, saturation } from './variant.mjs';

const STORED = 1_000_000;
const FULL_STORED = 10_000_000;
const QUICK_STORED = 20_000;
const CALLS_COUNTED = 20_000;
const QUICK_CALLS_COUNTED = 4_000;

const SMALL = { name: 'small', organizations: 10, keysEach: 1, budgetsEach: 1, stored: 0 };
/** Budgets beyond the first are those of keys that do not call: a call reaches one in both. */
const LARGE = { name: 'large', organizations: 10_000, keysEach: 10, budgetsEach: 3 };
/**
 * The number of organizations that call in turn, each with its first key. It is the same in both, because a batch writes each wallet,
 * budget and day of usage once: with a thousand callers each call would write its own, in any installation.
 */
const CALLERS = 10;
const MANY_CALLERS = 1_000;

const callsOf = (installation, callers, name) => {
  const { organizations, keysEach, budgetsEach, stored } = installation.size;
  const counts = [organizations * keysEach, organizations * budgetsEach, stored].map(inWords);
  return {
    name,
    label: `${inWords(callers)} of ${inWords(organizations)} organizations call; ${counts[0]} keys, ${counts[1]} budgets, ${counts[2]} stored calls`,
    candidate: installation.size.name,
    call: { ...chatCall('plain'), apiKeys: keysOf(callers, organizations) },
    // The first calls of a new process, until its heap has grown, its caches are warm and every budget has its month.
    first: { connections: 64, callsMax: 8 * MANY_CALLERS },
  };
};
const keysOf = (callers, organizations) =>
  Array.from({ length: callers }, (_, at) => secretOf(1 + at * (organizations / callers)));

export const growth = {
  name: 'growth',
  title: 'A call in an installation that has grown',
  baseline: 'small',
  ...saturation,
  // Longer than in other scenarios, so that periodic work, such as garbage collection, is in every round.
  load: { ...saturation.load, durationMs: 4000 },
  variants: ({ installations: { small, large } }) => [
    callsOf(small, CALLERS, 'small'),
    callsOf(large, CALLERS, 'large'),
    callsOf(large, MANY_CALLERS, 'large-many-callers'),
  ],
  async measure(world, settings) {
    const { quick, full } = settings;
    const stored = full ? FULL_STORED : quick ? QUICK_STORED : STORED;
    const installations = {};
    try {
      for (const size of [SMALL, { ...LARGE, stored }]) {
        installations[size.name] = await startInstallation(world, size);
      }
      // Writes the stored rows to disk now, and not during the measurement.
      await world.installation.database.query('CHECKPOINT');
      const grown = {
        ...world,
        installations,
        runningOf: (name) => installations[name].edge,
        requestsOf: (name, call) => svc.requests(call, installations[name].edge),
      };
      const { rows, problems } = await measureScenario(grown, this, settings);
      const calls = quick ? QUICK_CALLS_COUNTED : CALLS_COUNTED;
      const written = await countWritten(grown, this.variants(grown), calls);
      return {
        rows: rows.map((row) => withWritten(row, written.get(row.name))),
        problems: [...problems, ...[...written.values()].flatMap((counted) => counted.problems)],
      };
    } finally {
      for (const { edge, database } of Object.values(installations)) {
        await edge.stop();
        await database.end();
      }
    }
  },
  promises: (rows) => [
    {
      promise: 'CPU of a call, of that in a small installation',
      value: ratio(rows, 'large', 'cpuMicros'),
      atMost: 1.15,
    },
    {
      promise: 'CPU of a call when many organizations call, of that in a small installation',
      value: ratio(rows, 'large-many-callers', 'cpuMicros'),
      atMost: 1.15,
    },
    {
      promise: 'PostgreSQL’s CPU of a call, of that in a small installation',
      value: ratio(rows, 'large', 'postgresqlMicros'),
      atMost: 1.3,
    },
  ],
};

const withWritten = (row, { rowsByTable, figures }) => ({
  ...row,
  rowsByTable,
  figures: { ...row.figures, ...spreads([figures]) },
});
