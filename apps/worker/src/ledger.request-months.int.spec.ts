import { formatId, ID_ENTROPY_BYTES } from '@svc/kernel';
import { RequestMonths } from '@svc/ledger/store';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { dropOldRequestMonths, makeRequestMonths } from './ledger.tasks';

let test: TestDatabase;
let months: RequestMonths;
beforeEach(async () => {
  test = await openTestDatabase();
  months = new RequestMonths(test.database);
  // Drops the partitions that the migration made: the tests start without any.
  for (const name of await partitions()) await test.database.pool.query(`DROP TABLE ${name}`);
});
afterEach(() => test.close());

const partitions = async (): Promise<readonly string[]> => {
  const { rows } = await test.database.pool.query<{ name: string }>(
    'SELECT partition::text AS name FROM request_months ORDER BY to_id',
  );
  return rows.map(({ name }) => name);
};
/** The first moment of the month that is `distance` after the current one. */
const monthOf = (distance: number): Date => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + distance));
};
const partitionOf = (distance: number): string =>
  `request_records_${monthOf(distance).toISOString().slice(0, 7).replace('-', '_')}`;
const make = (distance: number) =>
  test.database.pool.query('SELECT make_request_month($1)', [monthOf(distance)]);

describe('months of the request log', () => {
  it('are made for this month and two months ahead, once', async () => {
    expect(await makeRequestMonths(months)).toEqual({ more: false });
    expect(await partitions()).toEqual([0, 1, 2].map(partitionOf));
    await Promise.all([makeRequestMonths(months), makeRequestMonths(months)]);
    expect(await partitions()).toEqual([0, 1, 2].map(partitionOf));
  });

  it('are kept for ever unless a number is configured', async () => {
    await make(-40);
    expect(await dropOldRequestMonths(months, null)).toEqual({ more: false });
    expect(await partitions()).toEqual([partitionOf(-40)]);
  });

  it('are dropped one a run, down to the configured number before the current', async () => {
    for (let distance = -5; distance <= 1; distance++) await make(distance);
    let runs = 1;
    while ((await dropOldRequestMonths(months, 2)).more) runs++;
    expect(await partitions()).toEqual([-2, -1, 0, 1].map(partitionOf));
    expect(runs).toBe(4);
  });

  it('are made although one of them fails because of too many calls before it', async () => {
    const inTheNext = formatId(
      'request',
      monthOf(1).getTime() + 86_400_000,
      new Uint8Array(ID_ENTROPY_BYTES),
    );
    await test.database.pool.query(
      `INSERT INTO request_records (id, organization_id, api_key_id, edge_instance_id, route, model, stream, held_nanos)
       SELECT left($1, 20) || lpad(i::text, 10, '0'), 'org_1', 'key_1', 'edge_1', 'messages', 'acme/small', false, 0
       FROM generate_series(0, 100000) i`,
      [inTheNext],
    );
    await expect(makeRequestMonths(months)).rejects.toThrow(monthOf(1).toISOString().slice(0, 7));
    while ((await partitions()).length < 2) await new Promise(setImmediate);
    expect(await partitions()).toEqual([0, 2].map(partitionOf));
  });
});
