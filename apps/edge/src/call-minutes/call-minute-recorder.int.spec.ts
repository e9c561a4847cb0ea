import fc from 'fast-check';
import { openDatabase } from '@svc/database';
import { openTestDatabase, startSilentProxy, type TestDatabase } from '@svc/database/testing';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { eventually, FakeClock } from '@svc/testing';
import { type CallMinute, CallMinuteStore } from '@svc/usage/store';
import { endedCall } from '../testing/ended-call';
import { CallMinuteRecorder } from './call-minute-recorder';

const logger = createLogger({ service: 'test', level: 'silent' });
const NEVER_MS = 2 ** 30;

function recorderFor(store: Pick<CallMinuteStore, 'write'>, options = {}) {
  const metrics = createMetrics('edge');
  const clock = new FakeClock();
  const recorder = new CallMinuteRecorder({ store, clock, logger, metrics, ...options });
  const dropped = async () =>
    Number(/^svc_call_minutes_dropped_total(?:\{.*\})? (\d+)/m.exec(await metrics.metrics())?.[1]);
  return { recorder, dropped, clock };
}

const keyOf = ({ writerId, minuteMs, apiKeyId, provider }: CallMinute): string =>
  [writerId, minuteMs, apiKeyId, provider].join(' ');

/** Keeps rows as the real store does, and fails as it is told to. */
class FailingStore {
  readonly rows = new Map<string, number>();
  written = 0;

  constructor(private readonly outcomes: ('written' | 'lost' | 'unanswered')[] = []) {}

  write(minutes: readonly CallMinute[]): Promise<void> {
    const outcome = this.outcomes.shift() ?? 'written';
    this.written += minutes.length;
    if (outcome !== 'lost') {
      for (const minute of minutes) {
        this.rows.set(keyOf(minute), Math.max(minute.calls, this.rows.get(keyOf(minute)) ?? 0));
      }
    }
    return outcome === 'written' ? Promise.resolve() : Promise.reject(new Error('no answer'));
  }

  get calls(): number {
    return [...this.rows.values()].reduce((sum, calls) => sum + calls, 0);
  }
}

describe('a recorder of calls by the minute', () => {
  it('writes each call once, whatever fails, and wherever the clock goes', async () => {
    const outcome = fc.constantFrom('written' as const, 'lost' as const, 'unanswered' as const);
    const call = fc.record({ key: fc.nat(3), advanceMs: fc.integer({ min: -90_000, max: 90_000 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(call)), fc.array(outcome), async (rounds, outcomes) => {
        const store = new FailingStore(outcomes);
        const { recorder, clock } = recorderFor(store, { writeEveryMs: NEVER_MS });
        for (const round of rounds) {
          for (const { key, advanceMs } of round) {
            clock.advance(advanceMs);
            recorder.note(endedCall({ apiKeyId: `key_${String(key)}` }), 1);
          }
          await recorder.stop();
        }
        for (let left = outcomes.length; left >= 0; left--) await recorder.stop();
        expect(store.calls).toBe(rounds.flat().length);
      }),
    );
  });

  it('writes a sum again only where it has changed', async () => {
    const store = new FailingStore();
    const { recorder } = recorderFor(store, { writeEveryMs: NEVER_MS });
    recorder.note(endedCall({ apiKeyId: 'key_1' }), 1);
    recorder.note(endedCall({ apiKeyId: 'key_2' }), 1);
    await recorder.stop();
    await recorder.stop();
    expect(store.written).toBe(2);
    recorder.note(endedCall({ apiKeyId: 'key_2' }), 1);
    await recorder.stop();
    expect([store.written, store.calls]).toEqual([3, 3]);
  });

  it('writes what a call changes while a statement runs', async () => {
    const store = new FailingStore();
    let during = () => undefined as unknown;
    const { recorder } = recorderFor(
      { write: (rows) => store.write(rows).then(() => void during()) },
      { writeEveryMs: NEVER_MS },
    );
    recorder.note(endedCall(), 1);
    during = () => recorder.note(endedCall(), 1);
    await recorder.stop();
    during = () => undefined;
    await recorder.stop();
    expect(store.calls).toBe(2);
  });

  it('drops and counts what it has no room for', async () => {
    const { recorder, dropped } = recorderFor(new FailingStore(), { sumsMax: 1, writeEveryMs: NEVER_MS });
    for (const apiKeyId of ['key_1', 'key_2', 'key_1', 'key_3']) recorder.note(endedCall({ apiKeyId }), 1);
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

  const callsOf = async (organizationId: string): Promise<number> => {
    const sum = { calls: true } as const;
    const { _sum } = await test.database.prisma.callMinute.aggregate({
      where: { organizationId },
      _sum: sum,
    });
    return _sum.calls ?? 0;
  };

  it('of two edges write at once, soon after a call, and their sums add up', async () => {
    const edges = [1, 2].map(() => recorderFor(new CallMinuteStore(test.database), { writeEveryMs: 20 }));
    for (let nth = 0; nth < 200; nth++) {
      for (const { recorder, clock } of edges) {
        clock.advance(1_000);
        recorder.note(endedCall({ organizationId: 'org_two', apiKeyId: `key_${String(nth % 2)}` }), 1);
      }
      if (nth % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 25));
    }
    await eventually(async () => expect(await callsOf('org_two')).toBe(400));
    await Promise.all(edges.map(({ recorder }) => recorder.stop()));
    expect(await callsOf('org_two')).toBe(400);
  });

  it('keep sums while the database is away or silent, and count a call once, also one committed without an answer', async () => {
    const proxy = await startSilentProxy(test.url);
    const database = openDatabase({ url: proxy.url, poolSize: 2 });
    const { recorder } = recorderFor(new CallMinuteStore(database), { writeEveryMs: 20 });
    const note = (apiKeyId: string) => recorder.note(endedCall({ organizationId: 'org_away', apiKeyId }), 1);
    note('key_1');
    await eventually(async () => expect(await callsOf('org_away')).toBe(1));

    proxy.silence('answers');
    note('key_1');
    await eventually(async () => expect(await callsOf('org_away')).toBe(2));
    note('key_1');

    proxy.resume();
    proxy.cut();
    note('key_2');
    await eventually(async () => expect(await callsOf('org_away')).toBe(4));
    await recorder.stop();
    expect(await callsOf('org_away')).toBe(4);
    await database.close();
    await proxy.close();
  });
});
