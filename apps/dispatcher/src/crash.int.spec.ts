import { once } from 'node:events';
import { BuiltProgram } from '@svc/testing';
import { type CrashOptions, type CrashPoint } from './testing/crashing-dispatcher';
import { DispatcherWorld } from './testing/dispatcher-world';

const LEASE_MS = 700;

let built: BuiltProgram<CrashOptions>;
let world: DispatcherWorld;
beforeAll(() => {
  built = new BuiltProgram('apps/dispatcher/src/testing/crashing-dispatcher.ts');
});
afterAll(() => built.close());
beforeEach(async () => {
  world = await DispatcherWorld.open();
});
afterEach(() => world.close());

/** Starts another dispatcher, and redelivers the events that were not acknowledged. */
const surviveWith = async (events: CrashOptions['events']) => {
  const { publish } = world.start({ leaseMs: LEASE_MS, findLostEveryMs: 100 });
  await publish(events);
  return world.settled();
};

describe('21: a dispatcher that is killed', () => {
  it.each<[CrashPoint, { received: number[]; lost: number[] }]>([
    ['while it claims', { received: [1], lost: [0, 1] }],
    ['after a claim', { received: [1], lost: [1] }],
    ['when it is connected', { received: [1], lost: [1] }],
    ['when it has the answer', { received: [2], lost: [1] }],
    ['before a settlement commits', { received: [2], lost: [1] }],
    ['while a settlement commits', { received: [1, 2], lost: [0, 1] }],
    ['after a settlement', { received: [1], lost: [0] }],
    ['before events are committed', { received: [1], lost: [0] }],
    ['after events are committed', { received: [1, 2], lost: [0, 1] }],
  ])(
    '%s loses nothing, and repeats itself at most once, under the same key',
    async (crashPoint, expected) => {
      const endpointId = await world.addEndpoint();
      const event = world.newEvent();
      const isIntake = crashPoint.includes('events are committed');
      if (!isIntake) await world.deliver(event);
      const events = isIntake ? [event] : [];
      const options = { databaseUrl: world.test.url, crashPoint, leaseMs: LEASE_MS, events };
      expect(await built.run(options)).toBe('SIGKILL');
      await proveDelivered(endpointId, events, expected);
    },
  );

  it('while its request is answered loses nothing, and repeats itself at most once, under the same key', async () => {
    const endpointId = await world.addEndpoint();
    await world.deliver();
    let child: ReturnType<typeof built.spawn> | null = null;
    world.receiver.answer(`/${endpointId}`, (response) => {
      if (child?.signalCode === null) child.kill('SIGKILL');
      else response.writeHead(204).end();
    });
    child = built.spawn({ databaseUrl: world.test.url, crashPoint: 'never', leaseMs: LEASE_MS, events: [] });
    await once(child, 'exit');
    await proveDelivered(endpointId, [], { received: [2], lost: [1] });
  });

  async function proveDelivered(
    endpointId: string,
    events: Parameters<typeof surviveWith>[0],
    { received: receivedCounts, lost: lostCounts }: { received: number[]; lost: number[] },
  ) {
    const [delivery, ...others] = await surviveWith(events);
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({ status: 'succeeded', round: 1, lease_id: null });
    const received = world.receiver.at(`/${endpointId}`);
    expect(receivedCounts).toContain(received.length);
    expect(new Set(received.map(({ headers }) => headers['idempotency-key']))).toEqual(
      new Set([delivery!.id]),
    );
    const attempts = await world.attempts();
    expect(lostCounts).toContain(attempts.filter(({ error }) => error === 'worker_lost').length);
    expect(attempts.map(({ attempt }) => attempt)).toEqual(attempts.map((_, at) => at + 1));
    expect(attempts.at(-1)).toMatchObject({ status_code: 204, error: null });
    expect(await world.endpoint(endpointId)).toMatchObject({ consecutive_failures: 0, state: 'active' });
  }
});
