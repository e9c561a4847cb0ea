import { Flushes } from './flushes';
import { openTestDatabase, type TestDatabase } from '../testing';

let test: TestDatabase;
beforeEach(async () => {
  test = await openTestDatabase();
});
afterEach(() => test.close());

describe('a flush', () => {
  it('is one for all that ask meanwhile', async () => {
    const client = await test.database.connectAlone();
    const sent = jest.spyOn(client, 'query');
    const flushes = new Flushes(() => Promise.resolve(client));
    const witness = await flushes.witness();
    const asked = [flushes.flush(witness)];
    while (sent.mock.calls.length === 0) await new Promise(setImmediate);
    for (let more = 0; more < 100; more++) asked.push(flushes.flush(witness));
    await Promise.all(asked);
    expect(sent).toHaveBeenCalledTimes(2);
  });

  it('is refused where its witness is gone, and the next witness is another', async () => {
    const { flushes } = test.database;
    const witness = await flushes.witness();
    const isGone = new Promise<void>((resolve) => witness.once('end', resolve));
    await test.database.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1`, [
      (await witness.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid,
    ]);
    await isGone;
    await expect(flushes.flush(witness)).rejects.toThrow();
    const next = await flushes.witness();
    expect(next).not.toBe(witness);
    await expect(flushes.flush(next)).resolves.toBeUndefined();
  });
});
