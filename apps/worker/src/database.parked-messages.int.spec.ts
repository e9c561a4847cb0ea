import { ParkedMessageStore } from '@svc/database';
import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { createLogger, createMetrics, type Registry } from '@svc/runtime/observability';
import { measureParkedMessages } from './database.tasks';

let test: TestDatabase;
beforeEach(async () => {
  test = await emptyTestDatabase();
});
afterEach(() => test.close());

const measure = (parked: Pick<ParkedMessageStore, 'countWaiting'>): Registry => {
  const metrics = createMetrics('worker');
  measureParkedMessages(parked, metrics, createLogger({ service: 'worker', level: 'silent' }));
  return metrics;
};

describe('svc_parked_messages', () => {
  it('counts parked messages until they are resolved', async () => {
    const parked = new ParkedMessageStore(test.database);
    const metrics = measure(parked);
    expect(await metrics.metrics()).toContain('svc_parked_messages{service="worker"} 0\n');
    for (const offset of [1n, 2n]) {
      const message = { topic: 'svc.events.v1', partition: 0, offset, key: null, payload: Buffer.from('?') };
      await parked.park({ ...message, consumer: 'dispatcher', reason: 'no event' });
    }
    expect(await metrics.metrics()).toContain('svc_parked_messages{service="worker"} 2\n');
    await test.database.pool.query('UPDATE parked_messages SET resolved_at = now() WHERE "offset" = 1');
    expect(await metrics.metrics()).toContain('svc_parked_messages{service="worker"} 1\n');
  });

  it('hides no other metric when the database is unreachable', async () => {
    const metrics = measure({ countWaiting: () => Promise.reject(new Error('away')) });
    expect(await metrics.metrics()).toContain('process_cpu_seconds_total');
  });
});
