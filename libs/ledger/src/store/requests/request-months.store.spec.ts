import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { formatId, ID_ENTROPY_BYTES, nanos } from '@svc/kernel';
import { holdOf, settlementOf, UNOBSERVED } from '../../testing/ledger-world';
import { LedgerStore } from '../wallet/ledger-store';
import { type Settlement } from '../wallet/settlement';
import { WalletStore } from '../wallet/wallet-store';
import { RequestHistory } from './request-history';
import { RequestMonths } from './request-months';

let test: TestDatabase;
let ledger: LedgerStore;
const organizationId = 'org_1';

beforeEach(async () => {
  test = await openTestDatabase();
  ledger = new LedgerStore(test.database);
  await test.database.prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
  await new WalletStore(test.database).credit(organizationId, nanos(1_000_000), 'test');
});
afterEach(() => test.close());

const idAt = (time: string, unique = 1): string =>
  formatId('request', Date.parse(time), new Uint8Array(ID_ENTROPY_BYTES).fill(unique));

const hold = (requestId: string) =>
  ledger.openHold(holdOf(organizationId, 10, { requestId, route: 'messages' }));
const settle = (requestId: string, costState: Settlement['costState'] = 'final'): Promise<boolean> =>
  ledger.settle(settlementOf({ requestId, organizationId }, 7, { ...UNOBSERVED, costState }));
const recordCall = async (requestId: string, costState?: Settlement['costState']): Promise<void> => {
  await hold(requestId);
  expect(await settle(requestId, costState)).toBe(true);
};

const make = async (time: string): Promise<boolean | undefined> => {
  const { rows } = await test.database.pool.query<{ made: boolean }>(
    'SELECT make_request_month($1) AS made',
    [time],
  );
  return rows[0]?.made;
};
const dropBefore = async (time: string): Promise<string | null | undefined> => {
  const { rows } = await test.database.pool.query<{ dropped: string | null }>(
    'SELECT drop_request_month($1) AS dropped',
    [time],
  );
  return rows[0]?.dropped;
};

const partitionOf = async (id: string): Promise<string | undefined> => {
  const { rows } = await test.database.pool.query<{ name: string }>(
    'SELECT tableoid::regclass::text AS name FROM request_records WHERE id = $1',
    [id],
  );
  return rows[0]?.name;
};
const partitions = async (): Promise<readonly string[]> => {
  const { rows } = await test.database.pool.query<{ name: string }>(
    'SELECT partition::text AS name FROM request_months ORDER BY to_id',
  );
  return rows.map(({ name }) => name);
};

/** Flushes the statistics, so that they include the call at once. */
async function callOfAWrongClock(id: string): Promise<void> {
  const client = await test.database.connectAlone();
  await client.query('SELECT pg_stat_force_next_flush()');
  await client.query(
    `INSERT INTO request_records (id, organization_id, api_key_id, edge_instance_id, route, model, stream, held_nanos, status, cost_state, finished_at)
     VALUES ($1, $2, 'key_1', 'edge_1', 'messages', 'acme/small', false, 0, 'succeeded', 'final', now())`,
    [id, organizationId],
  );
  await client.end();
}
const arrivals = async (): Promise<readonly { partition: string }[]> =>
  (await test.database.pool.query<{ partition: string }>('SELECT "partition" FROM request_month_arrivals'))
    .rows;

describe('the first id of a moment', () => {
  it.each([
    '1970-01-01T00:00:00Z',
    '2026-11-22T07:30:00.123Z',
    '2027-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999Z',
  ])('is in the database what it is to the services: %s', async (time) => {
    const { rows } = await test.database.pool.query('SELECT request_id_at($1) AS id', [new Date(time)]);
    expect(rows).toEqual([{ id: idAt(time, 0) }]);
  });
});

describe('a month of the request log', () => {
  it('is there from the migration on for now and the time ahead, without a gap', async () => {
    const { rows } = await test.database.pool.query<{ from_id: string | null; to_id: string }>(
      'SELECT from_id, to_id FROM request_months ORDER BY to_id',
    );
    expect(rows.map(({ from_id }) => from_id)).toEqual([
      null,
      ...rows.slice(0, -1).map(({ to_id }) => to_id),
    ]);
    const id = formatId('request', Date.now(), new Uint8Array(ID_ENTROPY_BYTES));
    await recordCall(id);
    expect(await partitionOf(id)).not.toBe('request_records_default');
  });

  it('takes the calls from its first millisecond to its last, in UTC', async () => {
    await make('2091-03-15T12:00:00Z');
    const ids = [
      '2091-02-28T23:59:59.999Z',
      '2091-03-01T00:00:00Z',
      '2091-03-31T23:59:59.999Z',
      '2091-04-01T00:00:00Z',
    ];
    for (const id of ids.map((time) => idAt(time))) await recordCall(id);
    expect(await Promise.all(ids.map((time) => partitionOf(idAt(time))))).toEqual([
      'request_records_default',
      'request_records_2091_03',
      'request_records_2091_03',
      'request_records_default',
    ]);
  });

  it('is made once, by however many at once', async () => {
    const before = (await partitions()).length;
    const made = await Promise.all(Array.from({ length: 8 }, () => make('2091-03-15T00:00:00Z')));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await make('2091-03-31T23:59:59Z')).toBe(false);
    expect(await partitions()).toHaveLength(before + 1);
  });

  it('has what every other one has: its checks and indexes', async () => {
    await make('2091-03-15T00:00:00Z');
    const shapeOf = async (table: string) => {
      const { rows } = await test.database.pool.query<{ shape: string }>(
        `SELECT pg_get_constraintdef(oid) AS shape FROM pg_constraint WHERE conrelid = '${table}'::regclass
         UNION ALL SELECT substring(pg_get_indexdef(indexrelid) FROM 'USING.*') FROM pg_index
         WHERE indrelid = '${table}'::regclass ORDER BY 1`,
      );
      return rows;
    };
    const shape = await shapeOf('request_records_first');
    expect(shape.length).toBeGreaterThan(10);
    expect(await shapeOf('request_records_2091_03')).toEqual(shape);
    expect(await shapeOf('request_records_default')).toEqual(shape);
  });
});

describe('a call of a month without a partition', () => {
  it('is held, settled, told of, and taken over by its month as it is', async () => {
    const [settled, pending] = [idAt('2091-03-10T00:00:00Z', 1), idAt('2091-03-10T00:00:00Z', 2)];
    await recordCall(settled);
    await hold(pending);
    await hold(idAt('2091-04-01T00:00:00Z'));
    const history = new RequestHistory(test.database);
    const before = await history.findRequest(organizationId, settled);
    expect(before).toMatchObject({ status: 'succeeded', customerNanos: nanos(7) });

    expect(await make('2091-03-01T00:00:00Z')).toBe(true);
    expect(await partitionOf(settled)).toBe('request_records_2091_03');
    expect(await partitionOf(idAt('2091-04-01T00:00:00Z'))).toBe('request_records_default');
    expect(await history.findRequest(organizationId, settled)).toEqual(before);
    expect(await settle(pending)).toBe(true);
    const { items } = await history.listRequests(organizationId, { limit: 10, before: null }, {});
    expect(items.map(({ id }) => id)).toEqual([idAt('2091-04-01T00:00:00Z'), pending, settled]);
  });

  it('stays where it is when there are too many to move while others wait', async () => {
    for (const unique of [1, 2, 3]) await recordCall(idAt('2091-03-10T00:00:00Z', unique));
    const make = (movedMax: number) =>
      test.database.pool.query(`SELECT make_request_month('2091-03-01Z', $1)`, [movedMax]);
    await expect(make(2)).rejects.toThrow(/holds more than 2 calls of 2091-03/);
    expect(await partitionOf(idAt('2091-03-10T00:00:00Z', 3))).toBe('request_records_default');
    await make(3);
    expect(await partitionOf(idAt('2091-03-10T00:00:00Z', 3))).toBe('request_records_2091_03');
  });
});

describe('an old month', () => {
  const [old, younger] = ['2021-03-01T00:00:00Z', '2021-04-01T00:00:00Z'];
  const inOld = idAt('2021-03-31T23:59:59.999Z');
  beforeEach(async () => {
    await test.database.pool.query('DROP TABLE request_records_first');
    for (const name of await partitions()) await test.database.pool.query(`DROP TABLE ${name}`);
    await make(old);
    await make(younger);
  });

  it('is dropped once all of it is older than asked, and nothing else is', async () => {
    await recordCall(inOld);
    await recordCall(idAt('2021-04-01T00:00:00Z'));
    await recordCall(idAt('2020-01-01T00:00:00Z'));
    expect(await dropBefore('2021-03-31T23:59:59.999Z')).toBeNull();
    expect(await dropBefore(younger)).toBe('request_records_2021_03');
    expect(await dropBefore(younger)).toBeNull();

    const history = new RequestHistory(test.database);
    expect(await history.findRequest(organizationId, inOld)).toBeNull();
    const { items } = await history.listRequests(organizationId, { limit: 10, before: null }, {});
    expect(items.map(({ id }) => id)).toEqual([idAt('2021-04-01T00:00:00Z'), idAt('2020-01-01T00:00:00Z')]);
    expect(await test.database.prisma.ledgerTransfer.count({ where: { requestId: inOld } })).toBe(1);
    expect((await test.database.prisma.usageDay.findFirstOrThrow()).requestCount).toBe(3n);
  });

  it('is dropped by one of several at once', async () => {
    const dropped = await Promise.all([1, 2, 3, 4].map(() => dropBefore(younger)));
    expect(dropped.filter((name) => name !== null)).toEqual(['request_records_2021_03']);
  });

  it('stays while a call of it is pending, and does not keep the next one from going', async () => {
    await hold(inOld);
    const end = '2021-05-01T00:00:00Z';
    expect(await dropBefore(younger)).toBeNull();
    expect(await dropBefore(end)).toBe('request_records_2021_04');
    await settle(inOld);
    expect(await dropBefore(end)).toBe('request_records_2021_03');
  });

  it('stays while a cost of it is provisional', async () => {
    await recordCall(inOld, 'provisional');
    expect(await dropBefore(younger)).toBeNull();
    await test.database.prisma.requestRecord.update({ where: { id: inOld }, data: { costState: 'final' } });
    expect(await dropBefore(younger)).toBe('request_records_2021_03');
  });

  it('stays while calls came into it that its edge’s clock made look old', async () => {
    const late = idAt('2021-03-10T00:00:00Z');
    expect(await dropBefore('2021-01-01T00:00:00Z')).toBeNull();
    await callOfAWrongClock(late);
    expect(await dropBefore(younger)).toBeNull();
    expect(await partitionOf(late)).toBe('request_records_2021_03');

    await test.database.pool.query(`UPDATE request_month_arrivals SET arrived_at = '2021-04-01T12:00:00Z'
      WHERE arrived_at > now() - interval '1 hour'`);
    expect(await dropBefore(younger)).toBe('request_records_2021_03');
    expect((await arrivals()).map(({ partition }) => partition)).toEqual(['request_records_2021_04']);
  });

  it('does not stay because a crash made the statistics begin anew', async () => {
    await recordCall(inOld);
    expect(await dropBefore('2021-01-01T00:00:00Z')).toBeNull();
    await test.database.pool.query('UPDATE request_month_arrivals SET arrived = 7');
    await test.database.pool.query('SELECT pg_stat_reset()');
    expect(await dropBefore(younger)).toBe('request_records_2021_03');
  });
});

describe('a month that is recent by the database’s clock', () => {
  const monthOf = (distance: number): string => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + distance)).toISOString();
  };
  beforeEach(() => Promise.all([-2, -1, 0].map((distance) => make(monthOf(distance)))));

  it('is never dropped, whatever moment is asked for: the asker hears that its clock is wrong', async () => {
    const before = await partitions();
    for (const asked of [monthOf(0), monthOf(4), new Date(Date.now() + 120 * 86_400_000).toISOString()]) {
      await expect(dropBefore(asked)).rejects.toThrow(/are not dropped yet: here it is/);
    }
    expect(await partitions()).toEqual(before);
  });

  it('is the current one and so many before it: the months made ahead and those kept are counted from there', async () => {
    await test.database.pool.query('DROP TABLE request_records_first');
    for (const name of await partitions()) await test.database.pool.query(`DROP TABLE ${name}`);
    for (const distance of [-4, -3, -2, -1]) await make(monthOf(distance));
    const months = new RequestMonths(test.database);
    expect([await months.makeMonth(0), await months.makeMonth(1), await months.makeMonth(1)]).toEqual([
      true,
      true,
      false,
    ]);
    const name = (distance: number) => `request_records_${monthOf(distance).slice(0, 7).replace('-', '_')}`;
    expect([await months.dropOldest(2), await months.dropOldest(2), await months.dropOldest(2)]).toEqual([
      name(-4),
      name(-3),
      null,
    ]);
    expect(await partitions()).toEqual([-2, -1, 0, 1].map(name));
    await expect(months.dropOldest(0)).rejects.toThrow(/are not dropped yet/);
  });
});
