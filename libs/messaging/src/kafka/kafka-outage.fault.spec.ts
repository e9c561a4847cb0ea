import { createLogger, createMetrics } from '@svc/runtime/observability';
import { eventually } from '@svc/testing';
import { type EventRecord } from '../event-record';
import { InMemoryParking, KafkaServer, TestedTransport } from '../testing';
import { KafkaEventClient } from './kafka-event-client';
import { KafkaEventServer } from './kafka-event-server';

const SOON_MS = 60_000;
const server = new KafkaServer();
let opened: TestedTransport<KafkaEventServer, KafkaEventClient>[];
let logged: string[];
let seen: string[];
afterAll(() => server.remove());
const open = () => {
  const options = {
    brokers: server.brokers,
    clientId: 'messaging-spec',
    prefix: 'svc',
    parking: new InMemoryParking(),
    logger: createLogger(
      { service: 'messaging-spec', level: 'info' },
      { write: (line) => logged.push((JSON.parse(line) as { msg: string }).msg) },
    ),
    metrics: createMetrics('messaging-spec'),
  };
  const transport = new TestedTransport(new KafkaEventServer(options), new KafkaEventClient(options));
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
const publishInTheEnd = (transport: TestedTransport, ...ids: string[]) =>
  eventually(() => transport.publish(ids.map(event)), SOON_MS);
/** In the order of their first occurrence. */
const untilSeen = (...ids: string[]) =>
  eventually(() => expect([...new Set(seen)].filter((id) => ids.includes(id))).toEqual(ids), SOON_MS);

describe('24: while Kafka', () => {
  it('is down no event is accepted, services start and stop, and all recovers when it is back', async () => {
    const transport = open();
    await transport.listen({ outage: take });
    await publishInTheEnd(transport, 'evt_1');
    await untilSeen('evt_1');
    logged = [];
    server.kill();
    await expect(transport.publish([event('evt_2')])).rejects.toThrow();
    await expect(transport.server.ping()).rejects.toThrow();
    await expect(transport.client.ping()).rejects.toThrow();
    await eventually(() => expect(logged).toEqual(['event consumer lost Kafka']), SOON_MS);
    const startedMeanwhile = open();
    const passing = open();
    await startedMeanwhile.listen({ late: ({ id }) => take(event(`late ${id}`)) });
    await passing.listen({ passing: take });
    await passing.close();
    server.start();
    await publishInTheEnd(transport, 'evt_2', 'evt_3');
    await Promise.all([transport.server.ping(), transport.client.ping()]);
    await untilSeen('evt_1', 'evt_2', 'evt_3');
    await untilSeen('late evt_1', 'late evt_2', 'late evt_3');
  });

  it('hangs a batch times out, and later ones are not lost if it arrives after all', async () => {
    const transport = open();
    await transport.listen({ hanging: take });
    await transport.publish([event('evt_4')]);
    await untilSeen('evt_4');
    server.pause();
    await eventually(() => expect(server.isPaused).toBe(true));
    const pausedAt = performance.now();
    await expect(transport.publish([event('evt_5')])).rejects.toThrow();
    expect(performance.now() - pausedAt).toBeLessThan(30_000);
    server.resume();
    await publishInTheEnd(transport, 'evt_6');
    await transport.publish([event('evt_7')]);
    await untilSeen('evt_4', 'evt_6', 'evt_7');
  });
});
