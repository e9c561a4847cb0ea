import { createLogger, createMetrics } from '@svc/platform';
import { eventually } from '@svc/testing';
import { type EventRecord } from '../event-transport';
import { InMemoryParking, KafkaServer } from '../testing';
import { KafkaTransport } from './kafka-transport';

jest.setTimeout(180_000);

const SOON_MS = 60_000;
const server = new KafkaServer();
let opened: KafkaTransport[];
let logged: string[];
let seen: string[];
afterAll(() => server.remove());
const open = () => {
  const transport = new KafkaTransport({
    brokers: server.brokers,
    clientId: 'messaging-spec',
    prefix: 'svc',
    parking: new InMemoryParking(),
    logger: createLogger(
      { service: 'messaging-spec', level: 'info' },
      { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) },
    ),
    metrics: createMetrics('messaging-spec'),
  });
  opened.push(transport);
  return transport;
};
beforeEach(() => {
  logged = [];
  seen = [];
  opened = [];
});
afterEach(() => Promise.all(opened.map((transport) => transport.close())));

const event = (id: string): EventRecord => ({
  id,
  type: 'wallet.credit_granted',
  organizationId: 'org_1',
  payload: '{}',
});
const take = async ({ id }: EventRecord) => void seen.push(id);
const publishInTheEnd = (transport: KafkaTransport, ...ids: string[]) =>
  eventually(() => transport.publish(ids.map(event)), SOON_MS);
/** In the order in which each came first. */
const untilSeen = (...ids: string[]) =>
  eventually(() => expect([...new Set(seen)].filter((id) => ids.includes(id))).toEqual(ids), SOON_MS);

describe('24: while Kafka', () => {
  it('is away nothing is taken over, services start and stop, and all goes on by itself when it is back', async () => {
    const transport = open();
    transport.subscribe('outage', take);
    await publishInTheEnd(transport, 'evt_1');
    await untilSeen('evt_1');
    logged = [];
    server.kill();
    await expect(transport.publish([event('evt_2')])).rejects.toThrow();
    await expect(transport.ping()).rejects.toThrow();
    await eventually(() => expect(logged).toEqual(['event consumer lost Kafka']), SOON_MS);
    const startedMeanwhile = open();
    const passing = open();
    startedMeanwhile.subscribe('late', ({ id }) => take(event(`late ${id}`)));
    passing.subscribe('passing', take);
    await passing.close();
    server.start();
    await publishInTheEnd(transport, 'evt_2', 'evt_3');
    await transport.ping();
    await untilSeen('evt_1', 'evt_2', 'evt_3');
    await untilSeen('late evt_1', 'late evt_2', 'late evt_3');
  });

  it('hangs a batch is given up in time, and costs no later one its place if it arrives after all', async () => {
    const transport = open();
    transport.subscribe('hanging', take);
    await transport.publish([event('evt_4')]);
    await untilSeen('evt_4');
    server.pause();
    const pausedAt = performance.now();
    await expect(transport.publish([event('evt_5')])).rejects.toThrow();
    expect(performance.now() - pausedAt).toBeLessThan(30_000);
    server.resume();
    await publishInTheEnd(transport, 'evt_6');
    await transport.publish([event('evt_7')]);
    await untilSeen('evt_4', 'evt_6', 'evt_7');
  });
});
