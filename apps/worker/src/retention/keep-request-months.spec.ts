import { formatId, ID_ENTROPY_BYTES } from '@svc/kernel';
import { RequestMonths } from '@svc/persistence';
import { openTestDatabase, type TestDatabase } from '@svc/persistence/testing';
import { FakeClock } from '@svc/testing';
import { dropOldRequestMonths, makeRequestMonths } from './keep-request-months';

jest.setTimeout(60_000);

let test: TestDatabase;
let months: RequestMonths;
beforeEach(async () => {
  test = await openTestDatabase();
  months = new RequestMonths(test.database);
});
afterEach(() => test.close());

const clockAt = (time: string) => new FakeClock(Date.parse(time));
const yearsMonths = async (year: number): Promise<readonly string[]> => {
  const { rows } = await test.database.pool.query<{ name: string }>(
    `SELECT partition::text AS name FROM request_months WHERE partition::text LIKE $1 ORDER BY to_id`,
    [`request_records_${String(year)}_%`],
  );
  return rows.map(({ name }) => name.slice(-2));
};

describe('months of the request log', () => {
  it('are made for now and two months ahead, once, on any day of the month', async () => {
    const clock = clockAt('2091-01-31T23:59:59Z');
    expect(await makeRequestMonths(months, clock)).toEqual({ more: false });
    expect(await yearsMonths(2091)).toEqual(['01', '02', '03']);
    clock.advance(1_000);
    await Promise.all([makeRequestMonths(months, clock), makeRequestMonths(months, clock)]);
    expect(await yearsMonths(2091)).toEqual(['01', '02', '03', '04']);
  });

  it('are kept for ever unless somebody says how many', async () => {
    await makeRequestMonths(months, clockAt('2091-01-01T00:00:00Z'));
    expect(await dropOldRequestMonths(months, clockAt('2199-01-01T00:00:00Z'), null)).toEqual({
      more: false,
    });
    expect(await yearsMonths(2091)).toEqual(['01', '02', '03']);
  });

  it('are dropped one a run, down to so many whole ones before the current', async () => {
    await makeRequestMonths(months, clockAt('2091-01-01T00:00:00Z'));
    await makeRequestMonths(months, clockAt('2091-03-01T00:00:00Z'));
    const clock = clockAt('2091-05-31T23:59:59Z');
    let runs = 1;
    while ((await dropOldRequestMonths(months, clock, 2)).more) runs++;
    expect(await yearsMonths(2091)).toEqual(['03', '04', '05']);
    expect(runs).toBeGreaterThan(2);
  });

  it('are made although one of them has too many calls before it', async () => {
    const inMarch = formatId('request', Date.parse('2091-03-02T00:00:00Z'), new Uint8Array(ID_ENTROPY_BYTES));
    await test.database.pool.query(
      `INSERT INTO request_records (id, organization_id, api_key_id, edge_instance_id, route, model, stream, held_nanos)
       SELECT left($1, 20) || lpad(i::text, 10, '0'), 'org_1', 'key_1', 'edge_1', 'messages', 'acme/small', false, 0
       FROM generate_series(0, 100000) i`,
      [inMarch],
    );
    const made = makeRequestMonths(months, clockAt('2091-02-01T00:00:00Z'));
    await expect(made).rejects.toThrow('2091-03');
    while ((await yearsMonths(2091)).length < 2) await new Promise(setImmediate);
    expect(await yearsMonths(2091)).toEqual(['02', '04']);
  });
});
