import { type Clock } from '@svc/kernel';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemClock, systemIds } from '@svc/runtime';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { RefusalStore, RefusalSummaries } from '@svc/usage/store';
import { RefusalRecorder } from '@svc/usage/work';
import { AddressRefusalStore, type RefusedKey } from '../store/keys/address-refusal-store';
import { AddressRefusals } from './address-refusals';

const HOUR_MS = 3_600_000;
const ADDRESS = '198.51.100.1';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

async function newKey(): Promise<RefusedKey> {
  const organizationId = systemIds('organization');
  const id = systemIds('apiKey');
  const { prisma } = test.database;
  await prisma.organization.create({ data: { id: organizationId, name: 'Acme' } });
  const secretSha256 = crypto.getRandomValues(new Uint8Array(32));
  await prisma.apiKey.create({
    data: { id, organizationId, name: 'Leaked', prefix: 'svc_sk_leaked00', secretSha256, scopes: [] },
  });
  return { id, organizationId, projectId: null };
}

const eventsOf = async ({ organizationId }: RefusedKey) => {
  const rows = await test.database.prisma.outboxEvent.findMany({ where: { organizationId } });
  return rows.map(({ type, payload }) => ({
    type,
    data: (JSON.parse(payload) as { readonly data: unknown }).data,
  }));
};

type StoreOfEvents = Pick<AddressRefusalStore, 'recordEvent'>;

/** One process with its own memory. */
function startProcess(store: StoreOfEvents = new AddressRefusalStore(test.database, systemIds)) {
  const lines: Record<string, unknown>[] = [];
  const log = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const logger = createLogger({ service: 'spec', level: 'warn' }, log);
  const metrics = createMetrics('spec');
  const clock: Clock = systemClock;
  const options = { store: new RefusalStore(test.database), isKnownModel: () => false };
  const refusals = new RefusalRecorder({ ...options, clock, logger, metrics });
  const trail = new AddressRefusals({ store, refusals, clock, logger, metrics });
  return {
    note: trail.note,
    lines,
    counted: async () =>
      (await metrics.getSingleMetric('svc_address_refusals_total')!.get()).values[0]?.value,
    stop: async () => {
      await Promise.all([trail.stop(), refusals.stop()]);
    },
  };
}

const refusedCalls = async ({ organizationId }: RefusedKey) => {
  const thisHour = Math.floor(Date.now() / HOUR_MS);
  const range = { firstHour: thisHour - 1, endHour: thisHour + 1 };
  const summaries = new RefusalSummaries(test.database);
  const rows = await summaries.summarize({ organizationId, ...range, groupBy: ['code', 'api_key'] }, 10);
  return rows.map(({ code, httpStatus, apiKey, count, lastMessage }) => ({
    code,
    httpStatus,
    apiKey,
    count,
    lastMessage,
  }));
};

describe('the trail of refused addresses', () => {
  it('is one event for 10,000 refusals over three processes, and each is counted', async () => {
    const key = await newKey();
    const processes = [startProcess(), startProcess(), startProcess()];
    for (let call = 0; call < 10_000; call++) processes[call % 3]!.note(key, ADDRESS);
    await Promise.all(processes.map(({ stop }) => stop()));

    const data = { api_key_id: key.id, name: 'Leaked', prefix: 'svc_sk_leaked00', project_id: null };
    expect(await eventsOf(key)).toEqual([
      { type: 'api_key.address_refused', data: { ...data, address: ADDRESS } },
    ]);
    expect(await refusedCalls(key)).toEqual([
      {
        code: 'address_not_allowed',
        httpStatus: 401,
        apiKey: key.id,
        count: 10_000n,
        lastMessage: `The key was shown from ${ADDRESS}, which its policy does not allow.`,
      },
    ]);
    expect(await processes[0]!.counted()).toBe(3_334);
    expect(processes[0]!.lines[0]).toMatchObject({ api_key_id: key.id, address: ADDRESS });
  });

  it('has the next event once an hour has passed since the last, and none before', async () => {
    const key = await newKey();
    const store = new AddressRefusalStore(test.database, systemIds);
    const recordAfter = async (interval: string) => {
      await test.database.pool.query(
        `UPDATE api_keys SET address_refused_at = now() - $2::interval WHERE id = $1`,
        [key.id, interval],
      );
      return store.recordEvent(key, ADDRESS);
    };
    expect(await store.recordEvent(key, ADDRESS)).toBe(true);
    expect(await recordAfter('59 minutes')).toBe(false);
    expect(await recordAfter('61 minutes')).toBe(true);
    expect(await eventsOf(key)).toHaveLength(2);
  });

  it('is one event of many that race in the database', async () => {
    const key = await newKey();
    const store = new AddressRefusalStore(test.database, systemIds);
    const recorded = await Promise.all(Array.from({ length: 8 }, () => store.recordEvent(key, ADDRESS)));
    expect(recorded.filter((isRecorded) => isRecorded)).toHaveLength(1);
    expect(await eventsOf(key)).toHaveLength(1);
  });

  it('keeps nothing of a text that is no address', async () => {
    const key = await newKey();
    const { note, lines, stop } = startProcess();
    note(key, 'my secret prompt');
    await stop();
    expect(await eventsOf(key)).toMatchObject([{ data: { address: null } }]);
    expect(await refusedCalls(key)).toMatchObject([{ lastMessage: expect.not.stringContaining('secret') }]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('is written later where the database fails, and asked for once until then', async () => {
    const key = await newKey();
    const real = new AddressRefusalStore(test.database, systemIds);
    let asked = 0;
    const failingOnce: StoreOfEvents = {
      recordEvent: (...refused) =>
        asked++ === 0 ? Promise.reject(new Error('Connection terminated')) : real.recordEvent(...refused),
    };
    const { note, lines, stop } = startProcess(failingOnce);
    note(key, ADDRESS);
    await stop();
    note(key, ADDRESS);
    await stop();
    expect(asked).toBe(2);
    expect(await eventsOf(key)).toHaveLength(1);
    note(key, ADDRESS);
    await stop();
    expect(asked).toBe(2);
    expect(lines.some(({ msg }) => String(msg).includes('events of refused addresses'))).toBe(true);
  });
});
