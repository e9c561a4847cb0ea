import { createLogger, createMetrics } from '@svc/platform';
import { InMemoryParking } from '../testing';
import { InProcessTransport } from './in-process-transport';

const event = { id: 'evt_1', type: 'wallet.credit_granted', organizationId: 'org_1', payload: '{}' };
const open = (parking = new InMemoryParking()) =>
  new InProcessTransport({
    parking,
    logger: createLogger({ service: 'messaging-spec', level: 'silent' }),
    metrics: createMetrics('messaging-spec'),
  });

describe('the in-process event transport', () => {
  it('takes nothing over before there is somebody to take it', async () => {
    await expect(open().publish([event])).rejects.toThrow('Nobody takes events yet.');
  });

  it('has handled what it took over, by every group in turn', async () => {
    const transport = open();
    const seen: string[] = [];
    transport.subscribe('first', async ({ id }) => void seen.push(`first ${id}`));
    transport.subscribe('second', async ({ id }) => void seen.push(`second ${id}`));
    await transport.publish([event, { ...event, id: 'evt_2' }]);
    expect(seen).toEqual(['first evt_1', 'second evt_1', 'first evt_2', 'second evt_2']);
  });

  it('rejects with what a handler failed of, so that the relay publishes again', async () => {
    const transport = open();
    transport.subscribe('spec', () => Promise.reject(new Error('the database is away')));
    await expect(transport.publish([event])).rejects.toThrow('the database is away');
  });

  it('parks an event of a number that is its own', async () => {
    const parking = new InMemoryParking();
    for (const id of ['evt_1', 'evt_2', 'evt_1']) {
      const transport = open(parking);
      transport.subscribe('spec', () => Promise.reject(new Error('a bug')));
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
