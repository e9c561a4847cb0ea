import { setTimeout as pause } from 'node:timers/promises';
import { type Database } from '@svc/database';
import { openTestDatabase } from '@svc/database/testing';
import { LedgerStore } from '@svc/ledger/store';
import { holdOf, LedgerWorld } from '@svc/ledger/testing';

const END_USERS = 1_000_000;
const BUDGETS = 10_000;
const DAYS = 30;
const ROUNDS = 31;
const HOLDS = 1_000;
const AT_ONCE = 50;
/** The most that a hold takes, as a ratio to that of an organization with three budgets. */
const RATIO_MAX = 1.15;
/** How many end users the calls of a round name. */
const CALLERS = 500;

interface Measured {
  readonly name: string;
  readonly round: () => Promise<void>;
  readonly millis: number[];
}

/**
 * `npm run bench:scale -- holds`: holds of an organization with three budgets, one of them for each end user; of one with 10,000
 * budgets; and of one with a million end users in this month. All name an end user whom the month already knows. Rounds take turns.
 * Ends with 1 where one of the two takes over 1.15 times as long as the first, by the median of the rounds' ratios.
 */
async function run(): Promise<void> {
  const [small, large] = [await openTestDatabase(), await openTestDatabase()];
  try {
    const few = await measuredOf('3 budgets', small.database, { budgets: 3, endUsers: CALLERS });
    const many = await measuredOf('10,000 budgets', large.database, { budgets: BUDGETS, endUsers: CALLERS });
    const crowd = await measuredOf('a million end users', large.database, {
      budgets: 3,
      endUsers: END_USERS,
    });
    for (const { database } of [small, large])
      await database.background.query('VACUUM ANALYZE budgets, budget_spends, usage_end_users');
    await pause(5_000);
    for (let round = 0; round < ROUNDS; round++)
      for (const each of [few, many, crowd]) {
        const startedAt = performance.now();
        await each.round();
        each.millis.push(performance.now() - startedAt);
      }
    report(few);
    const ratios = [many, crowd].map((each) => {
      report(each);
      return report(each, few);
    });
    process.exitCode = ratios.every((ratio) => ratio <= RATIO_MAX) ? 0 : 1;
  } finally {
    await small.close();
    await large.close();
  }
}

interface Size {
  readonly budgets: number;
  readonly endUsers: number;
}

async function measuredOf(name: string, database: Database, size: Size): Promise<Measured> {
  const organizationId = await new LedgerWorld(database).newOrganization(1_000_000_000_000);
  const startedAt = performance.now();
  await addBudgets(database, organizationId, size.budgets);
  await addEndUsers(database, organizationId, size.endUsers);
  print(`${name}: ready after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
  const ledger = new LedgerStore(database);
  const step = Math.floor(size.endUsers / CALLERS);
  let calls = 0;
  const round = async () => {
    for (let begun = 0; begun < HOLDS; begun += AT_ONCE) {
      const holds = Array.from({ length: AT_ONCE }, () => {
        const endUser = { id: endUserOf((calls++ % CALLERS) * step), name: null, namedPerDayMax: 100_000 };
        return ledger.openHold(holdOf(organizationId, 100, { endUser }));
      });
      for (const { held } of await Promise.all(holds))
        if (held === null) throw new Error(`${name}: a hold was refused.`);
    }
  };
  await round();
  return { name, round, millis: [] };
}

const endUserOf = (number: number): string => `eu_${String(number).padStart(26, '0')}`;

/** One of the organization, one of the key that calls, one for each end user; the others name keys and end users who don't call. */
async function addBudgets({ background }: Database, organizationId: string, count: number): Promise<void> {
  await background.query(
    `INSERT INTO budgets (id, organization_id, name, scope, scope_id, period, amount_nanos, action, warn_at_bps)
     SELECT $1 || '_' || n, $1, 'Budget ' || n,
       CASE WHEN n = 1 THEN 'organization' WHEN n = 2 OR n % 2 = 0 THEN 'api_key' ELSE 'end_user' END,
       CASE n WHEN 1 THEN $1 WHEN 2 THEN 'key_1' WHEN 3 THEN '*' ELSE 'of_' || n END,
       'month', 1000000000000, 'block', 8000
     FROM generate_series(1, $2) AS n`,
    [organizationId, count],
  );
}

/** Each has a row of the budget for each, and usage on one day of the month. */
async function addEndUsers({ background }: Database, organizationId: string, count: number): Promise<void> {
  await background.query(
    `INSERT INTO budget_spends (budget_id, period_key, subject, spent_nanos, review_due)
     SELECT $1 || '_3', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM') || ' ' || id, id, 100, false
     FROM generate_series(0, $2 - 1) AS n, LATERAL (SELECT 'eu_' || lpad(n::text, 26, '0')) AS named (id)`,
    [organizationId, count],
  );
  await background.query(
    `INSERT INTO usage_end_users (organization_id, end_user_id, day, project_id, request_count, customer_nanos)
     SELECT $1, 'eu_' || lpad(n::text, 26, '0'), (now() AT TIME ZONE 'UTC')::date - (n % $3)::int, '', 1, 100
     FROM generate_series(0, $2 - 1) AS n`,
    [organizationId, count, DAYS],
  );
}

/** Prints the median of a round, or of the rounds' ratios to those beside them. @returns it. */
function report({ name, millis }: Measured, beside?: Measured): number {
  const figures = millis
    .map((taken, round) => taken / (beside?.millis[round] ?? 1))
    .toSorted((a, b) => a - b);
  const [median = NaN, least = NaN, most = NaN] = [figures[figures.length >> 1], figures[0], figures.at(-1)];
  if (beside === undefined)
    print(
      `${name}: ${median.toFixed(0)} ms for ${String(HOLDS)} holds (${least.toFixed(0)} to ${most.toFixed(0)})`,
    );
  else print(`${name}: ${median.toFixed(3)} × ${beside.name}, of at most ${String(RATIO_MAX)}`);
  return median;
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`);

void run();
