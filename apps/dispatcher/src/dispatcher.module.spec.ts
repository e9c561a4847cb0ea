import { NestFactory } from '@nestjs/core';
import { createLogger, createMetrics, systemClock } from '@svc/platform';
import { eventually } from '@svc/testing';
import { DispatcherModule, type DispatcherRuntime } from './dispatcher.module';
import { DirectTransport } from './testing/direct-transport';
import { DispatcherWorld } from './testing/dispatcher-world';
import { masterKey } from './testing/start-dispatcher';

let world: DispatcherWorld;
let lines: Record<string, unknown>[];
beforeEach(async () => {
  world = await DispatcherWorld.open();
  lines = [];
});
afterEach(() => world.close());

const start = async (changes: Partial<DispatcherRuntime> = {}) => {
  const transport = new DirectTransport();
  const runtime: DispatcherRuntime = {
    database: world.test.database,
    transport,
    logger: createLogger(
      { service: 'dispatcher', level: 'info' },
      { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    ),
    metrics: createMetrics('dispatcher-spec'),
    masterKey,
    baseUrl: 'https://gateway.example.com',
    clock: systemClock,
    ...changes,
  };
  const app = await NestFactory.createApplicationContext(DispatcherModule.register(runtime), {
    logger: false,
  });
  return { app, transport };
};

describe('the dispatcher’s module', () => {
  it('delivers with what it is configured with, and says so where private hosts are allowed', async () => {
    const id = await world.addEndpoint();
    world.receiver.answer(`/${id}`, (response, { headers }) => {
      response.writeHead(headers['svc-delivery-attempt'] === '1' ? 500 : 204).end();
    });
    const { app, transport } = await start({ allowPrivate: true, retryDelaysSeconds: [0.1, 1, 1, 1, 1] });
    await transport.publish([world.newEvent()]);
    expect(await world.settled()).toMatchObject([{ status: 'succeeded', attempt_count: 2 }]);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: expect.stringContaining('private') }),
    );
    await app.close();
  });

  it('calls no private host and not itself without being allowed to', async () => {
    await world.addEndpoint();
    await world.addEndpoint({ url: 'https://gateway.example.com/hook' });
    const { app, transport } = await start({ retryDelaysSeconds: [0, 0, 0, 0, 0] });
    await transport.publish([world.newEvent()]);
    await world.settled();
    expect(new Set((await world.attempts()).map(({ error }) => error))).toEqual(new Set(['blocked_address']));
    expect(world.receiver.received).toEqual([]);
    expect(lines.filter(({ msg }) => String(msg).includes('private'))).toEqual([]);
    await app.close();
  });

  it('takes events before it starts, and sends nothing until then', async () => {
    await world.addEndpoint();
    const transport = new DirectTransport();
    const published = transport.publish([]);
    const { app } = await start({ transport, allowPrivate: true });
    await published;
    await transport.publish([world.newEvent()]);
    await world.settled();
    await app.close();
  });

  it('when it closes, sees what is in flight to its end, begins nothing, and leaves no lease behind', async () => {
    const id = await world.addEndpoint();
    let begun = 0;
    world.receiver.answer(`/${id}`, (response) => {
      begun++;
      setTimeout(() => response.writeHead(204).end(), 500);
    });
    for (let made = 0; made < 5; made++) await world.deliver();
    const { app, transport } = await start({ allowPrivate: true });
    await eventually(() => {
      expect(begun).toBe(1);
    }, 5_000);
    await app.close();
    const deliveries = await world.deliveries();
    expect(deliveries.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
    expect(deliveries.filter(({ lease_id }) => lease_id !== null)).toEqual([]);
    await transport.publish([world.newEvent()]);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(begun).toBe(1);
  });
});
