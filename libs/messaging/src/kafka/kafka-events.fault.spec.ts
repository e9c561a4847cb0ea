import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { eventually } from '@svc/testing';
import { type EventRecord } from '../event-record';
import { brokersOfThisRun, InMemoryParking, kafkaOptions, TestedTransport } from '../testing';
import { KafkaEventClient } from './kafka-event-client';
import { KafkaEventServer } from './kafka-event-server';

const brokers = brokersOfThisRun();
const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
const admin = kafka.admin();
beforeAll(() => admin.connect());
afterAll(() => admin.disconnect());

let prefix: string;
let topicName: string;
let parking: InMemoryParking;
let opened: TestedTransport<KafkaEventServer, KafkaEventClient>[];
beforeEach(() => {
  prefix = `spec-${randomUUID()}`;
  topicName = `${prefix}.events.v1`;
  parking = new InMemoryParking();
  opened = [];
});
afterEach(() => Promise.all(opened.map((transport) => transport.close())));

const open = () => {
  const options = { ...kafkaOptions(parking), prefix };
  const transport = new TestedTransport(new KafkaEventServer(options), new KafkaEventClient(options));
  opened.push(transport);
  return transport;
};
const event = (id: string, organizationId = 'org_1'): EventRecord => ({
  id,
  type: 'wallet.credit_granted',
  organizationId,
  payload: '{}',
});
const committed = async () => {
  const [topic] = await admin.fetchOffsets({ groupId: `${prefix}.spec`, topics: [topicName] });
  return (topic?.partitions ?? []).reduce((sum, { offset }) => sum + Math.max(0, Number(offset)), 0);
};

describe('events over Kafka', () => {
  it('creates its topic once, with its partitions and retention', async () => {
    await Promise.all([open().publish([event('evt_1')]), open().publish([event('evt_2')])]);
    const { topics } = await admin.fetchTopicMetadata({ topics: [topicName] });
    expect(topics[0]?.partitions).toHaveLength(12);
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: 2, name: topicName, configNames: ['retention.ms'] }],
    });
    expect(resources[0]?.configEntries[0]?.configValue).toBe(String(30 * 86_400_000));
  });

  it('keeps events published before a group’s first start', async () => {
    await open().publish([event('evt_1'), event('evt_2')]);
    const seen: string[] = [];
    await open().listen({ spec: async ({ id }) => void seen.push(id) });
    await eventually(() => expect(seen).toEqual(['evt_1', 'evt_2']));
  });

  it('accepts more events of one organization than a broker takes at a time', async () => {
    const transport = open();
    const payload = 'x'.repeat(20_000);
    const events = Array.from({ length: 100 }, (_, n) => ({ ...event(`evt_${String(n)}`), payload }));
    await transport.publish(events);
    const seen: EventRecord[] = [];
    await transport.listen({ spec: async (taken) => void seen.push(taken) });
    await eventually(() => expect(seen).toEqual(events));
  });

  it('commits an offset after the handler is done, and not before', async () => {
    const transport = open();
    let release: () => void = () => undefined;
    const seen: string[] = [];
    await transport.listen({
      spec: async ({ id }) => {
        seen.push(id);
        if (id === 'evt_2') await new Promise<void>((resolve) => (release = resolve));
      },
    });
    await transport.publish([event('evt_1'), event('evt_2'), event('evt_3')]);
    await eventually(() => expect(seen).toEqual(['evt_1', 'evt_2']));
    await pause(1_500);
    expect(await committed()).toBeLessThan(2);
    release();
    await eventually(async () => expect(await committed()).toBe(3));
  });

  it('commits nothing of events taken together before all of them are handled', async () => {
    const transport = open();
    await transport.publish(Array.from({ length: 50 }, (_, n) => event(`evt_${String(n)}`)));
    let release: () => void = () => undefined;
    let inHand = 0;
    await transport.listenTogether('spec', 200, async (events) => {
      inHand = events.length;
      await new Promise<void>((resolve) => (release = resolve));
    });
    await eventually(() => expect(inHand).toBe(50));
    await pause(1_500);
    expect(await committed()).toBe(0);
    release();
    await eventually(async () => expect(await committed()).toBe(50));
  });

  it('23: continues after a close where it stopped, without repeats', async () => {
    const seen: string[] = [];
    const first = open();
    await first.listen({ spec: async ({ id }) => void seen.push(id) });
    await first.publish([event('evt_1'), event('evt_2')]);
    await eventually(() => expect(seen).toHaveLength(2));
    await first.close();
    const second = open();
    await second.listen({ spec: async ({ id }) => void seen.push(id) });
    await second.publish([event('evt_3')]);
    await eventually(() => expect(seen).toHaveLength(3));
    expect(seen).toEqual(['evt_1', 'evt_2', 'evt_3']);
  });

  it('shares a group’s work among its members, and reassigns it when one leaves, without loss or reordering', async () => {
    const organizations = Array.from({ length: 24 }, (_, n) => `org_${n}`);
    const seen: Record<string, string[]> = {};
    const workers: Record<string, number> = { first: 0, second: 0 };
    const take = (worker: string) => async (taken: EventRecord) => {
      (seen[taken.organizationId] ??= []).push(taken.id);
      workers[worker]!++;
      await pause(2);
    };
    const publisher = open();
    const first = open();
    await first.listen({ spec: take('first') });
    const rounds = 40;
    for (let round = 0; round < rounds; round++) {
      await publisher.publish(organizations.map((org) => event(`evt_${round}`, org)));
      if (round === 5) await open().listen({ spec: take('second') });
      if (round > 5 && round < 15) await pause(200);
      if (round === 30) await first.close();
    }
    const expected = Array.from({ length: rounds }, (_, round) => `evt_${round}`);
    await eventually(() => {
      for (const organization of organizations) {
        expect([...new Set(seen[organization])]).toEqual(expected);
      }
    });
    expect(workers['first']).toBeGreaterThan(0);
    expect(workers['second']).toBeGreaterThan(0);
  });

  it('parks a message that is not an event by its offset, and delivers later ones', async () => {
    const transport = open();
    await transport.publish([event('evt_1')]);
    const stranger = kafka.producer();
    await stranger.connect();
    const payload = Buffer.from([0xff, 0]);
    await stranger.send({ topic: topicName, messages: [{ key: 'org_1', value: payload }] });
    await stranger.disconnect();
    await transport.publish([event('evt_2')]);
    const seen: string[] = [];
    await transport.listen({ spec: async ({ id }) => void seen.push(id) });
    await eventually(() => expect(seen).toEqual(['evt_1', 'evt_2']));
    expect(parking.messages).toMatchObject([
      { consumer: 'spec', topic: topicName, offset: 1n, key: 'org_1', payload },
    ]);
  });

  it('delivers events of other organizations while one waits for a retry', async () => {
    const transport = open();
    const seen = new Set<string>();
    parking.isDown = true;
    await transport.listen({
      spec: ({ organizationId }) => {
        if (organizationId === 'org_0') return Promise.reject(new Error('try again'));
        seen.add(organizationId);
        return Promise.resolve();
      },
    });
    const organizations = Array.from({ length: 12 }, (_, n) => `org_${n}`);
    await transport.publish([event('evt_1', 'org_0')]);
    for (let round = 0; round < 3; round++) {
      await transport.publish(organizations.map((org) => event(`evt_${round}`, org)));
    }
    // Some share the partition of the waiting one.
    await eventually(() => expect(seen.size).toBeGreaterThan(6));
    expect(seen).not.toContain('org_0');
  });

  it('reports that Kafka answers', async () => {
    const { server, client } = open();
    await Promise.all([server.ping(), client.ping()]);
  });
});
