import fc from 'fast-check';
import { GatewayError } from '@svc/kernel';
import { openDatabase } from '@svc/database';
import { openTestDatabase, startSilentProxy, type TestDatabase } from '@svc/database/testing';
import { systemClock } from '@svc/runtime';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { eventually } from '@svc/testing';
import { RefusalRecorder } from './refusal-recorder';
import { type RefusalBatch, RefusalStore } from '../store/refusals/refusal-store';
import { RefusalSummaries } from '../store/refusals/refusal-summary';

const logger = createLogger({ service: 'test', level: 'silent' });
const MODELS = ['acme/small', 'acme/large'];
const rateLimit = new GatewayError('rateLimit', 'Used up.');
const HOUR_MS = 3_600_000;
const NEVER_MS = 2 ** 30;

const callerIn = (organizationId: string) => ({ organizationId, projectId: null, apiKeyId: 'key_1' });

function recorderFor(store: Pick<RefusalStore, 'addRefusals'>, options = {}) {
  const metrics = createMetrics('edge');
  const isKnownModel = (name: string) => MODELS.includes(name);
  const clock = systemClock;
  const recorder = new RefusalRecorder({ store, isKnownModel, clock, logger, metrics, ...options });
  const dropped = async () =>
    Number(/^svc_refusals_dropped_total(?:\{.*\})? (\d+)/m.exec(await metrics.metrics())?.[1]);
  return { recorder, dropped };
}

/** Sums batches as the real store does, and fails as it is told to. */
class FailingStore {
  count = 0;
  private readonly last = new Map<string, number>();

  constructor(private readonly outcomes: ('written' | 'lost' | 'unanswered')[]) {}

  addRefusals({ writerId, number, rows }: RefusalBatch): Promise<void> {
    const outcome = this.outcomes.shift() ?? 'written';
    if (outcome !== 'lost' && (this.last.get(writerId) ?? 0) < number) {
      this.last.set(writerId, number);
      for (const { count } of rows) this.count += count;
    }
    return outcome === 'written' ? Promise.resolve() : Promise.reject(new Error('no answer'));
  }
}

describe('a recorder of refusals', () => {
  it('writes what it counted, whatever fails, and wherever a batch ends', async () => {
    const outcome = fc.constantFrom('written' as const, 'lost' as const, 'unanswered' as const);
    const models = fc.array(fc.constantFrom(...MODELS, 'of a caller', null));
    await fc.assert(
      fc.asyncProperty(
        fc.array(models),
        fc.array(outcome),
        fc.integer({ min: 1, max: 3 }),
        async (rounds, outcomes, batchRows) => {
          const store = new FailingStore(outcomes);
          const { recorder } = recorderFor(store, { writeEveryMs: NEVER_MS, batchRows });
          for (const round of rounds) {
            for (const model of round) recorder.note(callerIn('org_1'), model, rateLimit);
            await recorder.stop();
          }
          for (let left = outcomes.length; left >= 0; left--) await recorder.stop();
          expect(store.count).toBe(rounds.flat().length);
        },
      ),
    );
  });

  it('counts no failure of the service, and no name that the catalog has not', async () => {
    const rows: RefusalBatch['rows'][number][] = [];
    const store = { addRefusals: async (batch: RefusalBatch) => void rows.push(...batch.rows) };
    const { recorder } = recorderFor(store);
    recorder.note(callerIn('org_1'), 'acme/small', new GatewayError('overloaded', 'No room.'));
    recorder.note(callerIn('org_1'), 'a name of a caller', rateLimit);
    await recorder.stop();
    expect(rows).toMatchObject([{ code: 'rate_limit', model: null, count: 1 }]);
  });

  it('drops and counts what it has no room for', async () => {
    const { recorder, dropped } = recorderFor(new FailingStore([]), { rowsMax: 1 });
    for (const model of [...MODELS, ...MODELS]) recorder.note(callerIn('org_1'), model, rateLimit);
    expect(await dropped()).toBe(2);
    await recorder.stop();
  });
});

describe('recorders over PostgreSQL', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await openTestDatabase();
  });
  afterAll(() => test.close());

  const countIn = async (organizationId: string): Promise<number> => {
    const hour = Math.floor(Date.now() / HOUR_MS);
    const range = { firstHour: hour - 1, endHour: hour + 1 };
    const rows = await new RefusalSummaries(test.database).summarize(
      { organizationId, ...range, groupBy: ['code'] },
      10,
    );
    return rows.reduce((sum, { count }) => sum + Number(count), 0);
  };

  it('of two edges write at once, soon after a refusal, and their counts add up', async () => {
    const edges = [1, 2].map(() => recorderFor(new RefusalStore(test.database), { writeEveryMs: 20 }));
    const caller = callerIn('org_two');
    for (let nth = 0; nth < 200; nth++) {
      for (const { recorder } of edges) recorder.note(caller, MODELS[nth % 2], rateLimit);
      if (nth % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 25));
    }
    await eventually(async () => expect(await countIn('org_two')).toBe(400));
    await Promise.all(edges.map(({ recorder }) => recorder.stop()));
    expect(await countIn('org_two')).toBe(400);
  });

  it('keep counts while the database is away or silent, and write them once, also those committed without an answer', async () => {
    const proxy = await startSilentProxy(test.url);
    const database = openDatabase({ url: proxy.url, poolSize: 2 });
    let failures = 0;
    const store = new RefusalStore(database);
    const add = (batch: RefusalBatch) =>
      store.addRefusals(batch).catch((error: unknown) => {
        failures++;
        throw error;
      });
    const { recorder } = recorderFor({ addRefusals: add }, { writeEveryMs: 20 });
    const caller = callerIn('org_away');
    recorder.note(caller, 'acme/small', rateLimit);
    await eventually(async () => expect(await countIn('org_away')).toBe(1));

    proxy.silence('answers');
    recorder.note(caller, 'acme/small', rateLimit);
    await eventually(async () => expect(await countIn('org_away')).toBe(2));
    recorder.note(caller, 'acme/small', rateLimit);
    await eventually(() => expect(failures).toBeGreaterThan(0));
    expect(await countIn('org_away')).toBe(2);

    proxy.resume();
    proxy.cut();
    recorder.note(caller, 'acme/large', rateLimit);
    await eventually(async () => expect(await countIn('org_away')).toBe(4));
    await recorder.stop();
    expect(await countIn('org_away')).toBe(4);
    await database.close();
    await proxy.close();
  });
});
