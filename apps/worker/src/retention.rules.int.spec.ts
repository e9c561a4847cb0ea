import { type Client } from 'pg';
import { Retention, type RetentionRule } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { RETENTION_RULES } from './retention.tasks';

/** Values of columns, as SQL. Those of all others come from their types. */
type Values = Readonly<Record<string, string>>;
interface Example {
  /** The values of a due row besides its age. */
  readonly due?: Values;
  /** Rows of the same age that are not due. */
  readonly kept?: readonly Values[];
}

const SESSION_BUDGET = { budget_id: `'bud_session'`, review_due: 'false' };
const ENDED_PERIOD = { budget_id: `'bud_month'`, period_key: `'2020-01 ' || nth`, review_due: 'false' };
const EXAMPLES: Readonly<Record<string, Example>> = {
  idempotency_claims: {},
  console_sessions: {},
  password_resets: {},
  access_tokens: {},
  refresh_tokens: {},
  authorization_codes: { due: { expires_at: `now() - interval '1 year'` } },
  failed_guesses: {},
  released_holds: {},
  budget_spends: {
    due: SESSION_BUDGET,
    kept: [
      { ...SESSION_BUDGET, reserved_nanos: '1' },
      { ...SESSION_BUDGET, review_due: 'true' },
      { ...SESSION_BUDGET, budget_id: `'bud_month'` },
    ],
  },
  'old-budget-periods': {
    due: ENDED_PERIOD,
    kept: [
      { ...ENDED_PERIOD, reserved_nanos: '1' },
      { ...ENDED_PERIOD, review_due: 'true' },
      { ...ENDED_PERIOD, period_key: `to_char(now(), 'YYYY-MM')` },
      { ...ENDED_PERIOD, budget_id: `'bud_session'` },
    ],
  },
  outbox_events: { kept: [{ published_at: 'NULL' }] },
  provider_events: { due: { result: `'nudged'` }, kept: [{ result: 'NULL' }] },
  usage_day_tags: {},
  end_user_days: {},
  usage_end_users: {},
  refusals: {},
  refusal_batches: {},
  call_minutes: {},
  rollout_minutes: { due: { arm: `'control'` } },
  call_hours: {},
  circuit_reports: {},
  credential_reports: {},
  alerts: {
    due: { state: `'resolved'`, resolve_reason: `'ok'` },
    kept: [{ state: `'firing'`, resolve_reason: 'NULL', resolved_at: 'NULL' }],
  },
  mails: {
    due: { status: `'sent'`, due_at: 'NULL' },
    kept: [{ status: `'queued'`, due_at: 'now()' }],
  },
  approval_requests: {
    due: { state: `'executed'` },
    kept: [{ state: `'pending'`, ended_at: 'NULL', call_ciphertext: `'\\x00'` }],
  },
};

/** Of each type, as SQL in which `nth` numbers the rows. */
const SAMPLES: Readonly<Record<string, string>> = {
  text: `'sample_' || nth`,
  uuid: 'gen_random_uuid()',
  bytea: `sha256(nth::text::bytea)`,
  jsonb: `'{}'`,
  boolean: 'false',
  date: 'current_date',
  'timestamp with time zone': 'now()',
  ARRAY: `'{}'`,
};

let test: TestDatabase;
let client: Client;
let retention: Retention;
beforeAll(async () => {
  test = await openTestDatabase();
  client = await test.database.connectAlone();
  retention = new Retention(test.database);
  // Rows stand for themselves here: neither foreign keys nor triggers.
  await client.query(`SET session_replication_role = 'replica'`);
  await client.query(
    `INSERT INTO budgets (id, organization_id, name, scope, scope_id, period, amount_nanos, action, warn_at_bps)
     SELECT 'bud_' || period, 'org_1', '', 'organization', '', period, 0, 'warn', 1 FROM unnest(ARRAY['session', 'month']) AS period`,
  );
});
afterAll(async () => {
  await client.end();
  await test.close();
});

const HOUR_MS = 3_600_000;
let inserted = 0;

/** A rule by its table, or by its task where the table has another rule too. */
const nameOf = ({ table, task }: RetentionRule): string => (task === 'old-budget-periods' ? task : table);

/** The column of a rule's age, and the SQL of a time in it. */
function agedBy({ column }: RetentionRule, ageMs: number): Values {
  const at = `now() - ${String(ageMs)} * interval '1 ms'`;
  if (column === 'day') return { day: `((${at}) AT TIME ZONE 'UTC')::date` };
  return column.startsWith('(day + 1)')
    ? { day: `((${at}) AT TIME ZONE 'UTC')::date - 1` }
    : { [column]: at };
}

async function insert(rule: RetentionRule, count: number, values: Values): Promise<void> {
  const { rows } = await client.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_name = $1 AND table_schema = 'public' AND is_nullable = 'NO' AND column_default IS NULL`,
    [rule.table],
  );
  const sampled = Object.fromEntries(rows.map(({ name, type }) => [name, SAMPLES[type] ?? '0']));
  const row = { ...sampled, ...values };
  const from = inserted;
  inserted += count;
  await client.query(
    `INSERT INTO ${rule.table} (${Object.keys(row).join()}) SELECT ${Object.values(row).join()}
     FROM generate_series(${String(from + 1)}, ${String(from + count)}) AS nth`,
  );
}
const insertDue = (rule: RetentionRule, count: number) =>
  insert(rule, count, { ...EXAMPLES[nameOf(rule)]?.due, ...agedBy(rule, rule.keepMs + HOUR_MS) });

const countOf = async ({ table }: RetentionRule): Promise<number> =>
  (await client.query(`SELECT FROM ${table}`)).rowCount ?? 0;

describe('the rules of retention', () => {
  it('have an example each', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual(RETENTION_RULES.map(nameOf).sort());
  });

  it('keep what is past for as long as the pages say', () => {
    const kept = RETENTION_RULES.filter(({ keepMs }) => keepMs > 0);
    expect(Object.fromEntries(kept.map((rule) => [nameOf(rule), rule.keepMs / (24 * HOUR_MS)]))).toEqual({
      released_holds: 7,
      budget_spends: 30,
      'old-budget-periods': 35,
      outbox_events: 30,
      provider_events: 30,
      usage_day_tags: 1,
      end_user_days: 1,
      usage_end_users: 400,
      refusals: 35,
      refusal_batches: 35,
      call_minutes: 35,
      rollout_minutes: 35,
      call_hours: 35,
      circuit_reports: 1,
      credential_reports: 30,
      alerts: 400,
      mails: 400,
      approval_requests: 400,
    });
  });
});

describe.each(RETENTION_RULES.map((rule) => [nameOf(rule), rule] as const))('of %s', (_, rule) => {
  const example = EXAMPLES[nameOf(rule)] ?? {};
  beforeEach(() => client.query(`DELETE FROM ${rule.table}`));

  it('goes what is due, however much it is, in batches', async () => {
    await insertDue(rule, rule.batch + 1);
    expect(await retention.deleteDue([rule])).toEqual({ more: true });
    expect(await countOf(rule)).toBe(1);
    expect(await retention.deleteDue([rule])).toEqual({ more: false });
    expect(await countOf(rule)).toBe(0);
  });

  it('stays what is not old enough, or still of use', async () => {
    const young = rule.column.includes('day') ? 0 : rule.keepMs - HOUR_MS;
    await insert(rule, 1, { ...example.due, ...agedBy(rule, young) });
    for (const kept of example.kept ?? [])
      await insert(rule, 1, { ...example.due, ...agedBy(rule, rule.keepMs + HOUR_MS), ...kept });
    const before = await countOf(rule);
    expect(before).toBe(1 + (example.kept ?? []).length);
    expect(await retention.deleteDue([rule])).toEqual({ more: false });
    expect(await countOf(rule)).toBe(before);
  });

  it('stays for now what somebody has locked, and nobody waits', async () => {
    await insertDue(rule, 3);
    await client.query('BEGIN');
    await client.query(`SELECT FROM ${rule.table} LIMIT 1 FOR UPDATE`);
    expect(await retention.deleteDue([rule])).toEqual({ more: false });
    await client.query('COMMIT');
    expect(await countOf(rule)).toBe(1);
    await retention.deleteDue([rule]);
    expect(await countOf(rule)).toBe(0);
  });
});
