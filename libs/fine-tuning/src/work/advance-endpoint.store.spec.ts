import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { ProviderRefusal, ProviderUnreachable } from '../rules/provider/provider-failure';
import { EndpointWorld, PER_SECOND, SLICE_SECONDS } from '../testing/endpoint-world';
import { charged, expectFairEnd } from '../testing/fair-end';

let test: TestDatabase;
let world: EndpointWorld;
beforeEach(async () => {
  test = await emptyTestDatabase();
  world = await EndpointWorld.open(test);
});
afterEach(() => test.close());

const OF_A_SLICE = BigInt(SLICE_SECONDS) * PER_SECOND;
const query = (sql: string, values: readonly unknown[] = []) => test.database.pool.query(sql, [...values]);

describe('a start', () => {
  it('holds a slice, and serves once the provider does', async () => {
    const endpoint = await world.newEndpoint();
    expect(await world.start(endpoint)).toBe(true);
    expect(await world.wallet()).toEqual({ spent: 0n, held: OF_A_SLICE });
    await world.step();
    expect([...world.provider.machines.values()]).toMatchObject([
      { name: `${endpoint.id}.1`, model: 'ft:small:1', hardware: 'gpu', idleTimeoutMinutes: 1_455 },
    ]);
    await world.step();
    expect(await world.now(endpoint)).toMatchObject({ state: 'starting', run: { runningSince: null } });
    world.provider.say('started');
    await world.step();
    expect(await world.now(endpoint)).toMatchObject({ state: 'running', run: { charged: 0n } });
    expect(await world.told()).toEqual([
      {
        type: 'fine_tuning.endpoint.running',
        data: { fine_tuning_endpoint_id: endpoint.id, model: world.model },
      },
    ]);
  });

  it('that the wallet cannot hold leaves no run', async () => {
    await query('UPDATE wallets SET balance_nanos = $1', [OF_A_SLICE - 1n]);
    const endpoint = await world.newEndpoint();
    expect(await world.start(endpoint)).toBe(false);
    expect(await world.now(endpoint)).toMatchObject({ state: 'stopped', run: null });
    expect(await world.slices()).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ['takes longer than the catalog says', () => world.pass(300)],
    [
      'the provider could not do',
      () => {
        world.provider.say('error');
      },
    ],
    [
      'the provider lost',
      () => {
        world.provider.machines.clear();
      },
    ],
  ])('that %s fails, and costs nothing', async (_, happen) => {
    const endpoint = await world.newEndpoint();
    await world.start(endpoint);
    await world.step();
    await happen();
    const ended = await world.runToItsEnd(endpoint);
    expect(ended).toMatchObject({ state: 'failed', run: { stopReason: 'start_failed', charged: 0n } });
    expect(await world.told()).toMatchObject([
      {
        type: 'fine_tuning.endpoint.stopped',
        data: { reason: 'start_failed', running_seconds: 0, charged_nanos: 0 },
      },
    ]);
    await expectFairEnd(world, endpoint);
  });

  it('that the provider refuses fails', async () => {
    const endpoint = await world.newEndpoint();
    await world.start(endpoint);
    world.provider.trouble = {
      at: 'create',
      after: false,
      error: new ProviderRefusal('full', 'no_capacity'),
    };
    await world.step();
    expect(await world.now(endpoint)).toMatchObject({ state: 'failed' });
    expect(await world.wallet()).toEqual({ spent: 0n, held: 0n });
  });

  it('whose answer was lost makes no second machine', async () => {
    const endpoint = await world.newEndpoint();
    await world.start(endpoint);
    world.provider.trouble = { at: 'create', after: true, error: new ProviderUnreachable('lost') };
    await world.step();
    await world.step();
    expect([world.provider.made, world.provider.machines.size, world.pollFailures]).toEqual([1, 1, 1]);
  });

  it('that came late, after it had failed, is found and removed', async () => {
    const endpoint = await world.newEndpoint();
    await world.start(endpoint);
    world.provider.trouble = { at: 'create', after: false, error: new ProviderUnreachable('slow') };
    await world.step();
    await world.pass(300);
    world.provider.trouble = { at: 'create', after: false, error: new ProviderUnreachable('slow') };
    await world.step();
    expect(await world.now(endpoint)).toMatchObject({ state: 'failed' });
    await world.step();
    // The first question reaches the provider at last.
    await world.provider.create({
      name: `${endpoint.id}.1`,
      model: 'm',
      hardware: 'gpu',
      idleTimeoutMinutes: 1,
    });
    await world.step();
    expect(world.provider.machines.size).toBe(0);
    await world.pass(600);
    await world.runToItsEnd(endpoint);
  });

  it('can be tried again, as a run of its own', async () => {
    const endpoint = await world.newEndpoint();
    await world.start(endpoint);
    await world.pass(300);
    world.provider.isDown = true;
    await world.step();
    expect(await world.now(endpoint)).toMatchObject({ state: 'failed' });
    expect(await world.start(await world.now(endpoint))).toBe(true);
    expect(await world.now(endpoint)).toMatchObject({ state: 'starting', run: { id: `${endpoint.id}.2` } });
  });
});

describe('a run', () => {
  it('is paid slice by slice, each held before it begins, and settled to the second', async () => {
    const endpoint = await world.running();
    await world.pass(480);
    await world.step();
    expect(await world.wallet()).toEqual({ spent: 0n, held: OF_A_SLICE });
    await world.pass(61);
    await world.step();
    expect(await world.wallet()).toEqual({ spent: 0n, held: 2n * OF_A_SLICE });
    await world.pass(60);
    await world.step();
    expect(await world.wallet()).toEqual({ spent: OF_A_SLICE, held: OF_A_SLICE });
    expect(await world.now(endpoint)).toMatchObject({ state: 'running', run: { charged: OF_A_SLICE } });
    await world.pass(100);
    await world.stop(endpoint);
    const ended = await world.runToItsEnd(endpoint);
    expect(ended).toMatchObject({ state: 'stopped', run: { stopReason: 'user' } });
    const { seconds, nanos } = await charged(world, endpoint);
    expect(seconds).toBeGreaterThanOrEqual(701);
    expect(seconds).toBeLessThan(760);
    expect(await world.told()).toMatchObject([
      {},
      {
        type: 'fine_tuning.endpoint.stopped',
        data: { reason: 'user', running_seconds: seconds, charged_nanos: Number(nanos) },
      },
    ]);
    await expectFairEnd(world, endpoint);
    const [usage] = await test.database.prisma.usageDay.findMany();
    expect(usage).toMatchObject({
      ...{ model: world.model, projectId: 'proj_1', apiKeyId: 'key_1', requestCount: 0n },
    });
  });

  it('goes on while the provider does not answer, and is settled once it says that it served', async () => {
    const endpoint = await world.running();
    await world.pass(560);
    world.provider.isDown = true;
    await world.step();
    await world.pass(60);
    await world.step();
    expect(await world.wallet()).toEqual({ spent: 0n, held: 2n * OF_A_SLICE });
    world.provider.isDown = false;
    await world.step();
    expect(await world.wallet()).toEqual({ spent: OF_A_SLICE, held: OF_A_SLICE });
    expect(await world.now(endpoint)).toMatchObject({ state: 'running' });
  });

  it('that no worker saw for longer than its slice goes on, and the gap costs nothing', async () => {
    const endpoint = await world.running();
    await world.pass(1_000);
    await world.step();
    const [, second] = await world.slices();
    expect(second!.fromSecond).toBeGreaterThanOrEqual(1_000);
    const gap = second!.fromSecond - SLICE_SECONDS;
    expect(world.unmeteredSeconds).toBe(gap);
    await world.pass(50);
    await world.stop(endpoint);
    await world.runToItsEnd(endpoint);
    expect(world.unmeteredSeconds).toBe(gap);
    await expectFairEnd(world, endpoint, gap);
  });
});

describe('a longer idle time in a run', () => {
  const idleTimes = () => [...world.provider.machines.values()].map((one) => one.idleTimeoutMinutes);
  const idleMinutes = (idleStopMinutes: number) =>
    test.database.prisma.fineTuningEndpoint.updateMany({ data: { idleStopMinutes } });

  it('is told to the provider once, which would stop it earlier', async () => {
    await world.running({ idleStopMinutes: 60 });
    await idleMinutes(90);
    await world.step();
    await world.step();
    expect(idleTimes()).toEqual([105]);
    expect(world.provider.asked.filter((question) => question === 'changeIdleTimeout')).toHaveLength(1);
  });

  it('does not end the run where the provider refuses it', async () => {
    const endpoint = await world.running({ idleStopMinutes: 60 });
    await idleMinutes(90);
    const error = new ProviderRefusal('no', 'invalid_timeout');
    world.provider.trouble = { at: 'changeIdleTimeout', error, after: false };
    await world.step();
    expect(await world.now(endpoint)).toMatchObject({ state: 'running' });
    await world.step();
    expect(idleTimes()).toEqual([105]);
  });
});

describe('a stop', () => {
  it('is repeated until the provider confirms it, and nothing after the order is charged', async () => {
    const endpoint = await world.running();
    await world.pass(100);
    world.provider.ignoredStops = 2;
    await world.stop(endpoint);
    world.provider.isDown = true;
    await world.step();
    world.provider.isDown = false;
    await world.pass(5_000);
    await world.step();
    expect(await world.now(endpoint)).toMatchObject({ state: 'stopping' });
    expect(await world.wallet()).toEqual({ spent: 0n, held: OF_A_SLICE });
    await world.pass(5_000);
    await world.runToItsEnd(endpoint);
    expect(world.provider.asked.filter((question) => question === 'stop')).toHaveLength(4);
    const { seconds } = await charged(world, endpoint);
    expect(seconds).toBeLessThan(160);
    await expectFairEnd(world, endpoint);
  });

  it('gives calls in flight their time first, without a charge', async () => {
    const endpoint = await world.running();
    const stops = () => world.provider.asked.filter((question) => question === 'stop').length;
    const end = await world.beginCall();
    await world.stop(endpoint);
    await world.step();
    await world.pass(30);
    await world.step();
    expect(await world.now(endpoint)).toMatchObject({ state: 'stopping' });
    expect(stops()).toBe(0);
    await world.pass(30);
    await world.step();
    expect(await world.now(endpoint)).toMatchObject({ state: 'stopped' });
    expect(stops()).toBe(1);
    await end();
    await world.runToItsEnd(endpoint);
    expect((await charged(world, endpoint)).seconds).toBeLessThan(30);
    await expectFairEnd(world, endpoint);
  });

  it('waits no longer than the last call takes', async () => {
    const endpoint = await world.running();
    const end = await world.beginCall();
    await world.stop(endpoint);
    await world.step();
    expect(await world.now(endpoint)).toMatchObject({ state: 'stopping' });
    await end();
    await world.step();
    expect(await world.now(endpoint)).toMatchObject({ state: 'stopped' });
  });

  it('while it starts costs nothing, and stops what the provider made meanwhile', async () => {
    const endpoint = await world.newEndpoint();
    await world.start(endpoint);
    world.provider.trouble = { at: 'create', after: true, error: new ProviderUnreachable('lost') };
    await world.step();
    await world.stop(endpoint);
    const ended = await world.runToItsEnd(endpoint);
    expect(ended).toMatchObject({ state: 'stopped', run: { stopReason: 'user', charged: 0n } });
    await expectFairEnd(world, endpoint);
  });

  it('does not take the run from a worker that has it', async () => {
    const endpoint = await world.newEndpoint();
    await world.start(endpoint);
    const advancing = world.advancing();
    const held = await advancing.runs.claim();
    await world.stop(endpoint);
    expect(await advancing.runs.claim()).toBeNull();
    await advancing.runs.postpone(held!);
    await world.runToItsEnd(endpoint);
  });
});
