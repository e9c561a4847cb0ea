import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { type EndpointDriver } from '../rules/provider/endpoint-driver';
import { type EndpointRecord } from '../store/endpoint-record';
import { EndpointWorld, SLICE_SECONDS } from '../testing/endpoint-world';
import { charged, expectFairEnd } from '../testing/fair-end';
import { Killed } from '../testing/scripted-endpoints';
import { advanceEndpoint } from './advance-endpoint';

let test: TestDatabase;
let world: EndpointWorld;
beforeEach(async () => {
  test = await emptyTestDatabase();
  world = await EndpointWorld.open(test);
});
afterEach(() => test.close());

const query = (sql: string) => test.database.pool.query(sql);

describe('a worker that is killed', () => {
  const questions: readonly (keyof EndpointDriver)[] = ['find', 'create', 'state', 'stop', 'remove'];

  async function liveThrough(): Promise<EndpointRecord> {
    const endpoint = await world.newEndpoint();
    await world.start(endpoint);
    for (let steps = 0; steps < 4; steps++) await world.step();
    world.provider.say('started');
    for (let steps = 0; steps < 3; steps++) await world.step();
    await world.pass(550);
    for (let steps = 0; steps < 3; steps++) await world.step();
    await world.pass(100);
    for (let steps = 0; steps < 3; steps++) await world.step();
    await world.stop(endpoint);
    return world.runToItsEnd(endpoint);
  }

  const expectOneFairRun = async (endpoint: EndpointRecord) => {
    expect(endpoint).toMatchObject({ state: 'stopped', run: { stopReason: 'user' } });
    expect(world.provider.made).toBe(1);
    expect((await world.told()).map(({ type }) => type)).toEqual([
      'fine_tuning.endpoint.running',
      'fine_tuning.endpoint.stopped',
    ]);
    expect((await world.slices()).map(({ number, fromSecond }) => [number, fromSecond])).toEqual([
      [1, 0],
      [2, SLICE_SECONDS],
    ]);
    expect((await charged(world, endpoint)).seconds).toBeGreaterThanOrEqual(650);
    await expectFairEnd(world, endpoint);
  };

  it.each(questions.flatMap((at) => [true, false].map((after) => ({ at, after }))))(
    'at the question $at (after it: $after) leaves one machine, and each second is paid once',
    async ({ at, after }) => {
      world.provider.trouble = { at, after, error: new Killed('killed') };
      const endpoint = await liveThrough();
      expect(world.provider.kills).toBe(1);
      await expectOneFairRun(endpoint);
    },
  );

  it.each([1, 2, 6, 9, 12, 15, 16, 17])(
    'before its commit %i leaves one machine, and each second is paid once',
    async (commit) => {
      world.killAtCommit = commit;
      await expectOneFairRun(await liveThrough());
    },
  );

  it('can write nothing once another has the run', async () => {
    const endpoint = await world.newEndpoint();
    await world.start(endpoint);
    const { runs } = world.advancing();
    const late = await runs.claim();
    await query(`UPDATE fine_tuning_endpoint_runs SET lease_until = now() - interval '1 ms'`);
    expect(await runs.claim()).not.toBeNull();
    await expect(runs.noteMade(late!, 'endpoint-late')).rejects.toThrow('another worker');
  });

  it('beside others that go on at once: no slice is held or paid twice', async () => {
    const endpoint = await world.running();
    for (const seconds of [545, 60, 490, 60]) {
      await world.pass(seconds);
      await query('UPDATE fine_tuning_endpoint_runs SET due_at = now(), lease_until = NULL');
      await Promise.all(Array.from({ length: 4 }, () => advanceEndpoint(world.advancing())));
    }
    await world.stop(endpoint);
    await world.runToItsEnd(endpoint);
    await expectFairEnd(world, endpoint);
  });
});
