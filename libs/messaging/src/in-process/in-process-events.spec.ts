import { createLogger, createMetrics } from '@svc/runtime/observability';
import { InMemoryParking, TestedTransport } from '../testing';
import { InProcessEventClient } from './in-process-event-client';
import { InProcessEventServer } from './in-process-event-server';

const event = { id: 'evt_1', type: 'wallet.credit_granted', organizationId: 'org_1', payload: '{}' };
const open = (parking = new InMemoryParking()) => {
  const server = new InProcessEventServer({
    parking,
    logger: createLogger({ service: 'messaging-spec', level: 'silent' }),
    metrics: createMetrics('messaging-spec'),
  });
  return new TestedTransport(server, new InProcessEventClient(server));
};

describe('events in process', () => {
  it('accepts no event before there is a handler', async () => {
    await expect(open().publish([event])).rejects.toThrow('Nobody takes events yet.');
  });

  it('has handled every accepted event, by every group in turn', async () => {
    const transport = open();
    const seen: string[] = [];
    await transport.listen({
      first: async ({ id }) => void seen.push(`first ${id}`),
      second: async ({ id }) => void seen.push(`second ${id}`),
    });
    await transport.publish([event, { ...event, id: 'evt_2' }]);
    expect(seen).toEqual(['first evt_1', 'second evt_1', 'first evt_2', 'second evt_2']);
  });

  it('accepts events until its client is closed: the relay empties the outbox after Nest has closed the server', async () => {
    const transport = open();
    const seen: string[] = [];
    await transport.listen({ spec: async ({ id }) => void seen.push(id) });
    await transport.closeServer();
    await transport.publish([event]);
    expect(seen).toEqual(['evt_1']);
    await transport.close();
    await expect(transport.publish([event])).rejects.toThrow('closed');
  });

  it('rejects with the error of a handler, so that the relay publishes again', async () => {
    const transport = open();
    await transport.listen({ spec: () => Promise.reject(new Error('the database is away')) });
    await expect(transport.publish([event])).rejects.toThrow('the database is away');
  });

  it('parks an event at an offset derived from its id', async () => {
    const parking = new InMemoryParking();
    for (const id of ['evt_1', 'evt_2', 'evt_1']) {
      const transport = open(parking);
      await transport.listen({ spec: () => Promise.reject(new Error('a bug')) });
      const published = async () => {
        for (;;) {
          const isTaken = await transport.publish([{ ...event, id }]).then(
            () => true,
            () => false,
          );
          if (isTaken) return;
        }
      };
      await published();
    }
    const [first, second, again] = parking.messages.map(({ offset }) => offset);
    expect(first).toBe(again);
    expect(first).not.toBe(second);
  });
});
