import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Controller, type Type } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { createLogger, createMetrics } from '@svc/platform';
import { eventually } from '@svc/testing';
import { type EventRecord, EVENTS } from './event-record';
import { InProcessEventClient } from './in-process/in-process-event-client';
import { InProcessEventServer } from './in-process/in-process-event-server';
import { KafkaEventClient } from './kafka/kafka-event-client';
import { KafkaEventServer } from './kafka/kafka-event-server';
import { InMemoryParking, TestedTransport } from './testing';
import { type CallClient, type CallRecord, CALLS } from './call-record';
import { InProcessCallClient } from './in-process/in-process-call-client';
import { KafkaCallClient } from './kafka/kafka-call-client';

jest.setTimeout(60_000);

/** Set by `npm run test:distributed`. Without it only the in-process adapter is tested. */
const brokers = process.env['SVC_TEST_KAFKA_BROKERS']?.split(',');
const parking = new InMemoryParking();
const logger = createLogger({ service: 'messaging-spec', level: 'silent' });
const options = () => ({ parking, logger, metrics: createMetrics('messaging-spec') });

interface Opened {
  readonly transport: TestedTransport;
  readonly calls: CallClient;
}
const adapters: Record<string, () => Opened> = {
  'in process': () => {
    const server = new InProcessEventServer(options());
    const transport = new TestedTransport(server, new InProcessEventClient(server));
    return { transport, calls: new InProcessCallClient(server) };
  },
  ...(brokers && {
    'over Kafka': () => {
      const kafka = { ...options(), brokers, clientId: 'messaging-spec', prefix: `spec-${randomUUID()}` };
      const transport = new TestedTransport(new KafkaEventServer(kafka), new KafkaEventClient(kafka));
      return { transport, calls: new KafkaCallClient(kafka) };
    },
  }),
};
const SOON_MS = 20_000;
const call = (organizationId: string, payload = 'ü€😀 "\\'): CallRecord => ({ organizationId, payload });

describe.each(Object.entries(adapters))('finished calls %s', (_name, open) => {
  let opened: Opened;
  beforeEach(() => {
    opened = open();
  });
  afterEach(async () => {
    await opened.calls.close();
    await opened.transport.close();
  });
  const handlerOf = (handle: (call: CallRecord) => Promise<void>): Type => {
    @Controller()
    class Calls {
      @EventPattern(CALLS, { group: 'spec' })
      take(@Payload() taken: CallRecord): Promise<void> {
        return handle(taken);
      }
    }
    return Calls;
  };

  it('arrive unchanged, and no handler of events gets them', async () => {
    const seen: CallRecord[] = [];
    const events: EventRecord[] = [];
    @Controller()
    class Events {
      @EventPattern(EVENTS, { group: 'events' })
      async take(@Payload() event: EventRecord): Promise<void> {
        events.push(event);
      }
    }
    await opened.transport.listenWith([handlerOf(async (taken) => void seen.push(taken)), Events]);
    const sent = [call('org_1'), call('org_2', '{}'), call('org_1', 'last')];
    await opened.calls.handOver(sent);
    await eventually(() => expect(seen).toEqual(expect.arrayContaining(sent)), SOON_MS);
    // Kafka may bring one twice.
    expect(sent).toEqual(expect.arrayContaining(seen));
    await pause(200);
    expect(events).toEqual([]);
  });

  it('pass one whose handler fails, which is neither tried again nor parked', async () => {
    const seen: string[] = [];
    await opened.transport.listenWith([
      handlerOf(async ({ payload }) => {
        seen.push(payload);
        if (payload === 'first') throw new Error('no');
      }),
    ]);
    // While a new topic has no leader yet, a message may be sent twice.
    await opened.calls.handOver([call('org_1', 'ready')]);
    await eventually(() => expect(seen).toContain('ready'), SOON_MS);
    await opened.calls.handOver([call('org_1', 'first'), call('org_1', 'second')]);
    await eventually(() => expect(seen).toContain('second'), SOON_MS);
    expect(seen.filter((payload) => payload !== 'ready')).toEqual(['first', 'second']);
    expect(parking.messages).toEqual([]);
  });

  it('may be none', async () => {
    await opened.transport.listenWith([handlerOf(() => Promise.resolve())]);
    await opened.calls.handOver([]);
  });
});
