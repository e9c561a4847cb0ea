import fc from 'fast-check';
import { createLogger, createMetrics, type Registry } from '@svc/runtime/observability';
import { type EventHandler, type EventRecord } from '../event-record';
import { UnprocessableEvent } from '../message-parking';
import { InMemoryParking } from '../testing';
import { messageConsumers } from './event-consumer';
import { type MessageConsumer, takeNext } from './message-consumer';
import { type ReceivedMessage } from './received-message';

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
const message = (offset: bigint, partition = 0): ReceivedMessage => ({
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

describe('a consumer that takes events together', () => {
  let handled: string[][];
  let poison: Record<string, Error>;
  beforeEach(() => {
    handled = [];
    poison = {};
  });

  const together = () => {
    const logger = createLogger(
      { service: 'messaging-spec', level: 'info' },
      { write: (line) => logged.push(JSON.parse(line) as Record<string, unknown>) },
    );
    const take = (events: readonly EventRecord[]) => {
      const ids = events.map(({ id }) => id);
      const failure = ids.map((id) => poison[id]).find((error) => error !== undefined);
      if (failure !== undefined) return Promise.reject(failure);
      handled.push(ids);
      return Promise.resolve();
    };
    return messageConsumers({ parking, logger, metrics }).ofEventBatches('spec', take, 200);
  };
  const messages = (count: number): readonly ReceivedMessage[] =>
    Array.from({ length: count }, (_, at) => {
      const event = { ...message(0n).readEvent(), id: `evt_${String(at)}` };
      return { ...message(BigInt(at)), readEvent: () => event };
    });
  /** As a transport does, without the pauses. @returns how often it was asked. */
  const takeAll = async (subject: MessageConsumer, offered: readonly ReceivedMessage[]) => {
    let asked = 0;
    for (let at = 0; at < offered.length; asked++) {
      const taken = await takeNext(subject, offered, at);
      if (typeof taken === 'number') at += taken;
    }
    return asked;
  };

  it('hands over as many as it may, in their order', async () => {
    expect(await takeAll(together(), messages(450))).toBe(3);
    expect(handled.map(({ length }) => length)).toEqual([200, 200, 50]);
    expect(handled.flat()).toEqual(messages(450).map((each) => each.readEvent().id));
    expect(await metrics.getSingleMetricAsString('svc_event_messages_total')).toMatch(
      /\{consumer="spec",outcome="handled",.*\} 450$/m,
    );
  });

  it('parks the one that fails, alone, and handles each other one once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.nat(),
        fc.boolean(),
        async (count, at, isHopeless) => {
          parking = new InMemoryParking();
          metrics = createMetrics('messaging-spec');
          handled = [];
          const failingId = `evt_${String(at % count)}`;
          poison = { [failingId]: isHopeless ? new UnprocessableEvent('no') : new Error('no') };
          await takeAll(together(), messages(count));
          const others = messages(count)
            .map((each) => each.readEvent().id)
            .filter((id) => id !== failingId);
          expect(handled.flat()).toEqual(others);
          expect(parking.messages).toMatchObject([{ offset: BigInt(at % count) }]);
        },
      ),
    );
  });

  it('keeps the others together where one fails', async () => {
    poison = { evt_77: new UnprocessableEvent('no') };
    await takeAll(together(), messages(200));
    expect(handled.length).toBeLessThan(40);
  });

  it('parks a message that is no event, and handles those around it', async () => {
    const offered = messages(5).with(2, {
      ...message(2n),
      readEvent: () => {
        throw new UnprocessableEvent('no event');
      },
    });
    await takeAll(together(), offered);
    expect(handled.flat()).toEqual(['evt_0', 'evt_1', 'evt_3', 'evt_4']);
    expect(parking.messages).toMatchObject([{ offset: 2n, reason: 'UnprocessableEvent: no event' }]);
  });

  it('24: postpones the first while the database is down, after two tries whatever it was offered', async () => {
    const subject = together();
    const offered = messages(200);
    let tries = 0;
    poison = new Proxy({}, { get: () => (tries++, new Error('away')) });
    parking.isDown = true;
    expect(await subject.takeFirst(offered)).toMatchObject({ retryInMs: 100 });
    expect(tries).toBe(200 + 1);
    expect(await subject.takeFirst(offered)).toMatchObject({ retryInMs: 200 });
    expect(tries).toBe(200 + 2);
    poison = {};
    parking.isDown = false;
    await takeAll(subject, offered);
    expect(handled.flat()).toEqual(offered.map((each) => each.readEvent().id));
    expect(parking.messages).toEqual([]);
  });
});
