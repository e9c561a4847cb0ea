import { CallHourStore, CallMinuteStore, CircuitReportStore } from '@svc/persistence';
import { openTestDatabase, type TestDatabase } from '@svc/persistence/testing';
import { deleteOldCallHours, deleteOldCallMinutes, deleteOldCircuitReports } from './delete-old-call-minutes';

let test: TestDatabase;
beforeEach(async () => {
  test = await openTestDatabase();
});
afterEach(() => test.close());

describe('sums of calls by the minute', () => {
  it('are deleted after 35 days, however many there are', async () => {
    await test.database.pool.query(
      `INSERT INTO call_minutes SELECT 'org_1', date_trunc('minute', now()) - age * interval '1 hour', '', 'key_' || nth, 'acme/small', 'acme',
         '00000000-0000-4000-8000-000000000001', 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, '{}', '{}', '{}', '{}'
       FROM (VALUES (35 * 24 + 1, 2500), (35 * 24 - 1, 3)) AS aged (age, many), generate_series(1, many) nth`,
    );
    const minutes = new CallMinuteStore(test.database);
    expect(await deleteOldCallMinutes(minutes)).toEqual({ more: true });
    expect(await deleteOldCallMinutes(minutes)).toEqual({ more: false });
    expect(await test.database.prisma.callMinute.count()).toBe(3);
  });
});

describe('sums of calls by the hour', () => {
  it('are deleted after as long', async () => {
    await test.database.pool.query(
      `INSERT INTO call_hours SELECT 'org_1', date_trunc('hour', now()) - age * interval '1 hour', '', 'key_1', 'acme/small', 'acme',
         1, 0, 0, 0, 0, 0, 0, 0, 0, '{}', '{}', '{}', '{}'
       FROM unnest(ARRAY[35 * 24 + 1, 35 * 24 - 1]) AS age`,
    );
    expect(await deleteOldCallHours(new CallHourStore(test.database))).toEqual({ more: false });
    expect(await test.database.prisma.callHour.count()).toBe(1);
  });
});

describe('reports of circuits', () => {
  it('are deleted after a day', async () => {
    await test.database.pool.query(
      `INSERT INTO circuit_reports SELECT 'endpoint', 'edge_' || hours, 'acme/small', 'acme', NULL, now(), now() - hours * interval '1 hour'
       FROM unnest(ARRAY[0, 23, 25]) AS hours`,
    );
    await deleteOldCircuitReports(new CircuitReportStore(test.database));
    const left = await test.database.prisma.circuitReport.findMany({ orderBy: { edgeInstanceId: 'asc' } });
    expect(left.map(({ edgeInstanceId }) => edgeInstanceId)).toEqual(['edge_0', 'edge_23']);
  });
});
