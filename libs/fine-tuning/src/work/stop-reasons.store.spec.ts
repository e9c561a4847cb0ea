import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { type EndpointRecord } from '../store/endpoint-record';
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

describe('a run ends', () => {
  const reasonOf = async (endpoint: EndpointRecord) => (await world.now(endpoint)).run?.stopReason;

  it('as idle, but not while calls come or are in flight', async () => {
    const endpoint = await world.running({ idleStopMinutes: 2 });
    await world.pass(110);
    await world.called();
    await world.pass(110);
    await world.step();
    expect(await reasonOf(endpoint)).toBeNull();
    const end = await world.beginCall();
    await world.pass(120);
    await world.step();
    expect(await reasonOf(endpoint)).toBeNull();
    await end();
    await world.step();
    expect(await world.runToItsEnd(endpoint)).toMatchObject({
      state: 'stopped',
      run: { stopReason: 'idle' },
    });
    await expectFairEnd(world, endpoint);
  });

  it('with max_hours, and is not charged beyond', async () => {
    const endpoint = await world.running({ maxHours: 0.01 });
    expect(await world.wallet()).toEqual({ spent: 0n, held: 36n * PER_SECOND });
    await world.pass(40);
    await world.step();
    await world.runToItsEnd(endpoint);
    expect(await reasonOf(endpoint)).toBe('max_hours');
    expect((await charged(world, endpoint)).nanos).toBe(36n * PER_SECOND);
    expect(await world.wallet()).toEqual({ spent: 36n * PER_SECOND, held: 0n });
  });

  it('with budget, where a run may not spend the next slice', async () => {
    const maxSpend = (OF_A_SLICE + 1n) as NonNullable<EndpointRecord['maxSpend']>;
    const endpoint = await world.running({ maxSpend });
    await world.pass(550);
    await world.step();
    expect(await world.now(endpoint)).toMatchObject({ state: 'running', run: { holdRefusal: 'budget' } });
    await world.pass(60);
    await world.step();
    await world.runToItsEnd(endpoint);
    expect(await reasonOf(endpoint)).toBe('budget');
    expect((await charged(world, endpoint)).nanos).toBe(OF_A_SLICE);
  });

  it('with budget, where a budget of its project refuses the next slice', async () => {
    await test.database.prisma.budget.create({
      data: {
        ...{ id: 'bud_1', organizationId: world.organizationId, name: 'Team', scope: 'project' },
        ...{
          scopeId: 'proj_1',
          period: 'month',
          amountNanos: OF_A_SLICE + 1n,
          action: 'block',
          warnAtBps: 8_000,
        },
      },
    });
    const endpoint = await world.running();
    await world.pass(601);
    await world.step();
    await world.runToItsEnd(endpoint);
    expect(await reasonOf(endpoint)).toBe('budget');
    expect((await charged(world, endpoint)).nanos).toBe(OF_A_SLICE);
  });

  it('with wallet_empty at the end of what is held, unless there is money by then', async () => {
    const endpoint = await world.running();
    await query('UPDATE wallets SET balance_nanos = $1', [OF_A_SLICE + 5n]);
    await world.pass(550);
    await world.step();
    expect(await world.now(endpoint)).toMatchObject({
      state: 'running',
      run: { holdRefusal: 'wallet_empty' },
    });
    await query('UPDATE wallets SET balance_nanos = balance_nanos + $1', [OF_A_SLICE]);
    await world.step();
    expect(await world.now(endpoint)).toMatchObject({ state: 'running', run: { holdRefusal: null } });
    await world.pass(600);
    await world.step();
    await world.pass(60);
    await world.step();
    await world.runToItsEnd(endpoint);
    expect(await reasonOf(endpoint)).toBe('wallet_empty');
    expect((await charged(world, endpoint)).nanos).toBe(2n * OF_A_SLICE);
  });

  it.each<[string, () => unknown]>([
    [
      'provider_error',
      () => {
        world.provider.machines.clear();
      },
    ],
    [
      'provider_error',
      () => {
        world.provider.say('error');
      },
    ],
    [
      'provider_error',
      () => {
        world.provider.say('stopped');
      },
    ],
    ['model_deleted', () => query('UPDATE fine_tuned_models SET deleted_at = now()')],
    ['organization_suspended', () => query(`UPDATE organizations SET state = 'suspended'`)],
    [
      'operator',
      () => {
        world.isOffered = false;
      },
    ],
  ])('with %s (%#)', async (reason, happen) => {
    const endpoint = await world.running();
    await world.pass(100);
    await world.step();
    await world.pass(20);
    await happen();
    const ended = await world.runToItsEnd(endpoint);
    expect(ended).toMatchObject({ state: 'stopped', run: { stopReason: reason } });
    const { seconds } = await charged(world, endpoint);
    // Time after it was last seen is not charged where the provider lost it.
    if (reason === 'provider_error') expect(seconds).toBeLessThan(120);
    else expect(seconds).toBeGreaterThanOrEqual(120);
    expect((await world.told()).at(-1)).toMatchObject({ data: { reason } });
    expect(await test.database.prisma.auditEntry.findMany()).toMatchObject([
      { action: 'fine_tuning_endpoint.stop', actorType: 'system', targetId: endpoint.id },
    ]);
    await expectFairEnd(world, endpoint);
  });

  it('when the provider says that it did, and is not charged beyond', async () => {
    const endpoint = await world.running();
    await world.pass(100);
    await world.step();
    const { run } = await world.now(endpoint);
    world.provider.say('stopped', new Date(run!.runningSince!.getTime() + 70_000));
    await world.runToItsEnd(endpoint);
    expect(await reasonOf(endpoint)).toBe('provider_error');
    expect((await charged(world, endpoint)).seconds).toBe(70);
    await expectFairEnd(world, endpoint);
  });

  it.each<[string, () => unknown]>([
    ['organization_suspended', () => query(`UPDATE organizations SET state = 'suspended'`)],
    ['model_deleted', () => query('UPDATE fine_tuned_models SET deleted_at = now()')],
    [
      'operator',
      () => {
        world.isOffered = false;
      },
    ],
  ])('with %s before it serves, and costs nothing', async (reason, happen) => {
    const endpoint = await world.newEndpoint();
    await world.start(endpoint);
    await world.step();
    await happen();
    const ended = await world.runToItsEnd(endpoint);
    expect(ended).toMatchObject({ state: 'stopped', run: { stopReason: reason, charged: 0n } });
    await expectFairEnd(world, endpoint);
  });
});
