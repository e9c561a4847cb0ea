import { createLogger, createMetrics, type Registry } from '@svc/runtime/observability';
import { type EventHandler } from '../event-record';
import { UnprocessableEvent } from '../message-parking';
import { InMemoryParking } from '../testing';
import { messageConsumers } from './event-consumer';

let parking: InMemoryParking;
let metrics: Registry;
let logged: Record<string, unknown>[];
beforeEach(() => {
  parking = new InMemoryParking();
  metrics = createMetrics('messaging-spec');
  logged = [];
});

const consumer = (handler: EventHandler) => {
  const logger = createLogger(
    { service: 'messaging-spec', level: 'info' },
    { write: (line) => logged.push(JSON.parse(line) as Record<string, unknown>) },
  );
  return messageConsumers({ parking, logger, metrics }).ofEvents('spec', handler);
};
const message = (offset: bigint, partition = 0) => ({
  topic: 'svc.events.v1',
  partition,
  offset,
  key: 'org_1',
  payload: Buffer.from('the payload'),
  readEvent: () => ({
    id: 'evt_1',
    type: 'wallet.credit_granted',
    organizationId: 'org_1',
    payload: 'the payload',
  }),
});
const failing = () => Promise.reject(new Error('no'));

describe('a consumer of events', () => {
  it('retries a failed event with back-off up to five seconds, and parks it at the tenth failure', async () => {
    const subject = consumer(failing);
    const pauses = [];
    for (
      let retry = await subject.take(message(7n));
      retry !== null;
      retry = await subject.take(message(7n))
    ) {
      pauses.push(retry.retryInMs);
    }
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
    expect(parking.messages).toEqual([
      {
        consumer: 'spec',
        topic: 'svc.events.v1',
        partition: 0,
        offset: 7n,
        key: 'org_1',
        payload: Buffer.from('the payload'),
        reason: 'Error: no',
      },
    ]);
  });

  it('24: counts no failure while the database is down, for any time', async () => {
    const subject = consumer(failing);
    parking.isDown = true;
    for (let tries = 0; tries < 100; tries++) expect(await subject.take(message(7n))).not.toBeNull();
    parking.isDown = false;
    for (let tries = 0; tries < 9; tries++) expect(await subject.take(message(7n))).not.toBeNull();
    expect(await subject.take(message(7n))).toBeNull();
  });

  it('counts separately for each event and each partition', async () => {
    const subject = consumer(failing);
    for (let offset = 0n; offset < 20n; offset++) {
      expect(await subject.take(message(offset))).toMatchObject({ retryInMs: 100 });
      expect(await subject.take(message(7n, 1))).not.toBeNull();
      if (offset === 8n) break;
    }
    expect(await subject.take(message(7n, 1))).toBeNull();
  });

  it('continues counting when earlier messages are repeated, as by a relay', async () => {
    let isFailing = false;
    const subject = consumer(() => (isFailing ? failing() : Promise.resolve()));
    for (let failures = 1; failures <= 10; failures++) {
      isFailing = false;
      expect(await subject.take(message(6n))).toBeNull();
      isFailing = true;
      const again = await subject.take(message(7n));
      expect(again === null).toBe(failures === 10);
    }
    expect(parking.messages).toMatchObject([{ offset: 7n }]);
  });

  it('parks an unprocessable event at the first failure, when the store is available', async () => {
    const subject = consumer(() => Promise.reject(new UnprocessableEvent('no event')));
    parking.isDown = true;
    expect(await subject.take(message(7n))).not.toBeNull();
    parking.isDown = false;
    expect(await subject.take(message(7n))).toBeNull();
    expect(parking.messages).toMatchObject([{ reason: 'UnprocessableEvent: no event' }]);
  });

  it('reports parked messages in the log and in a metric, without the payload', async () => {
    const subject = consumer(() => Promise.reject(new UnprocessableEvent('no event')));
    await subject.take(message(7n));
    expect(logged).toMatchObject([
      { level: 'error', msg: 'message parked', consumer: 'spec', partition: 0, offset: '7', key: 'org_1' },
    ]);
    expect(JSON.stringify(logged)).not.toContain('the payload');
    expect(await metrics.getSingleMetricAsString('svc_event_messages_total')).toMatch(
      /\{consumer="spec",outcome="parked",.*\} 1$/m,
    );
  });
});
