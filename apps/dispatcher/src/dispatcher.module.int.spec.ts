import { NestFactory } from '@nestjs/core';
import { type ClientProxy } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import { type EventRecord, EVENTS, InProcessEventClient, InProcessEventServer } from '@svc/messaging';
import { ParkedMessageStore } from '@svc/database';
import { createHttpServer, MountedAdapter, startListening } from '@svc/http';
import { systemClock } from '@svc/runtime';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { eventually } from '@svc/testing';
import { DispatcherModule, type DispatcherRuntime } from './dispatcher.module';
import { DispatcherWorld } from './testing/dispatcher-world';
import { masterKey } from './testing/start-dispatcher';

let world: DispatcherWorld;
let lines: Record<string, unknown>[];
beforeEach(async () => {
  world = await DispatcherWorld.open();
  lines = [];
});
afterEach(() => world.close());

/** Composed as with the in-process transport: a hybrid app that listens before it is initialised. */
const start = async (changes: Partial<DispatcherRuntime> = {}) => {
  const runtime: DispatcherRuntime = {
    database: world.test.database,
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
  const { database, logger, metrics } = runtime;
  const server = new InProcessEventServer({ parking: new ParkedMessageStore(database), logger, metrics });
  const client: ClientProxy = new InProcessEventClient(server);
  const app = await NestFactory.create(
    DispatcherModule.register(runtime),
    new MountedAdapter(createHttpServer({ logger })),
    { logger: false },
  );
  await startListening(app, server);
  return { app, publish: (event: EventRecord) => lastValueFrom(client.emit(EVENTS, [event])) };
};

describe('the dispatcher’s module', () => {
  it('delivers with its configuration, and logs when private hosts are allowed', async () => {
    const id = await world.addEndpoint();
    world.receiver.answer(`/${id}`, (response, { headers }) => {
      response.writeHead(headers['svc-delivery-attempt'] === '1' ? 500 : 204).end();
    });
    const { app, publish } = await start({ allowPrivate: true, retryDelaysSeconds: [0.1, 1, 1, 1, 1] });
    await app.init();
    await publish(world.newEvent());
    expect(await world.settled()).toMatchObject([{ status: 'succeeded', attempt_count: 2 }]);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: expect.stringContaining('private') }),
    );
    await app.close();
  });

  it('calls neither private hosts nor itself unless allowed', async () => {
    await world.addEndpoint();
    await world.addEndpoint({ url: 'https://gateway.example.com/hook' });
    const { app, publish } = await start({ retryDelaysSeconds: [0, 0, 0, 0, 0] });
    await app.init();
    await publish(world.newEvent());
    await world.settled();
    expect(new Set((await world.attempts()).map(({ error }) => error))).toEqual(new Set(['blocked_address']));
    expect(world.receiver.received).toEqual([]);
    expect(lines.filter(({ msg }) => String(msg).includes('private'))).toEqual([]);
    await app.close();
  });

  it('takes events before it starts, and sends nothing until then', async () => {
    await world.addEndpoint();
    const { app, publish } = await start({ allowPrivate: true });
    await publish(world.newEvent());
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(world.receiver.received).toEqual([]);
    await app.init();
    await world.settled();
    await app.close();
  });

  it('drains attempts in flight when it closes, begins none, and leaves no lease behind', async () => {
    const id = await world.addEndpoint();
    let begun = 0;
    world.receiver.answer(`/${id}`, (response) => {
      begun++;
      setTimeout(() => response.writeHead(204).end(), 500);
    });
    for (let made = 0; made < 5; made++) await world.deliver();
    const { app, publish } = await start({ allowPrivate: true });
    await app.init();
    await eventually(() => {
      expect(begun).toBe(1);
    });
    await app.close();
    const deliveries = await world.deliveries();
    expect(deliveries.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
    expect(deliveries.filter(({ lease_id }) => lease_id !== null)).toEqual([]);
    await publish(world.newEvent());
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(begun).toBe(1);
  });
});
