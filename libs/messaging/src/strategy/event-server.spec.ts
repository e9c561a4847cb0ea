import { Controller } from '@nestjs/common';
import { EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { defer, type Observable, throwError, timer } from 'rxjs';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { CALLS } from '../call-record';
import { type EventRecord, EVENTS } from '../event-record';
import { InProcessEventClient } from '../in-process/in-process-event-client';
import { InProcessEventServer } from '../in-process/in-process-event-server';
import { InMemoryParking, TestedTransport } from '../testing';

const event = { id: 'evt_1', type: 'wallet.credit_granted', organizationId: 'org_1', payload: '{}' };
const failure = new Error('the database is away');
let transport: TestedTransport;
let logged: string[];
beforeEach(() => {
  logged = [];
  const server = new InProcessEventServer({
    parking: new InMemoryParking(),
    logger: createLogger(
      { service: 'messaging-spec', level: 'info' },
      { write: (line) => logged.push(line) },
    ),
    metrics: createMetrics('messaging-spec'),
  });
  transport = new TestedTransport(server, new InProcessEventClient(server));
});
afterEach(() => transport.close());

describe('a server of events', () => {
  it.each<[string, () => unknown]>([
    [
      'at once',
      () => {
        throw failure;
      },
    ],
    ['by a promise', () => Promise.reject(failure)],
    ['by a stream', () => throwError(() => failure)],
  ])('is told of a failure as the handler told it, %s', async (_, fail) => {
    @Controller()
    class Failing {
      @EventPattern(EVENTS, { group: 'spec' })
      take(_event: EventRecord): unknown {
        return fail();
      }
    }
    await transport.listenWith([Failing]);
    await expect(transport.publish([event])).rejects.toBe(failure);
    expect(logged.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { msg: 'event postponed', err: { message: failure.message, stack: failure.stack } },
    ]);
  });

  it('has handled an event when its handler’s stream has ended without a value', async () => {
    const seen: string[] = [];
    @Controller()
    class Streaming {
      @EventPattern(EVENTS, { group: 'spec' })
      take(@Payload() { id }: EventRecord): Observable<never> {
        return defer(async () => {
          await new Promise((resolve) => setTimeout(resolve, 50));
          seen.push(id);
        }) as Observable<never>;
      }
    }
    await transport.listenWith([Streaming]);
    await transport.publish([event]);
    expect(seen).toEqual(['evt_1']);
  });

  it.each([
    ['of no group', EventPattern(EVENTS)],
    ['of another pattern', EventPattern('wallet.credit_granted', { group: 'spec' })],
    ['that answers', MessagePattern(EVENTS, { group: 'spec' })],
  ])('refuses a handler %s, which would get no event, at the start', async (_, pattern) => {
    @Controller()
    class Strange {
      @pattern
      take(_event: EventRecord): Observable<number> {
        return timer(0);
      }
    }
    await expect(transport.listenWith([Strange])).rejects.toThrow('@EventPattern(EVENTS, { group })');
  });

  it('hands a handler with eventsMax up to so many together, beside one that takes them one by one', async () => {
    const seen: unknown[] = [];
    @Controller()
    class Both {
      @EventPattern(EVENTS, { group: 'batches', eventsMax: 2 })
      async takeAll(@Payload() events: readonly EventRecord[]): Promise<void> {
        seen.push(events.map(({ id }) => id));
      }

      @EventPattern(EVENTS, { group: 'single' })
      async take(@Payload() { id }: EventRecord): Promise<void> {
        seen.push(id);
      }
    }
    await transport.listenWith([Both]);
    await transport.publish(['evt_1', 'evt_2', 'evt_3'].map((id) => ({ ...event, id })));
    expect(seen).toEqual([['evt_1', 'evt_2'], 'evt_1', 'evt_2', ['evt_3'], 'evt_3']);
  });

  it.each([
    ['events by zero', EVENTS, 0],
    ['events by a half', EVENTS, 0.5],
    ['events by a text', EVENTS, '200'],
    ['finished calls', CALLS, 200],
  ])('refuses a handler that takes %s together', async (_, pattern, eventsMax) => {
    @Controller()
    class Strange {
      @EventPattern(pattern, { group: 'spec', eventsMax })
      take(_events: unknown): void {
        throw failure;
      }
    }
    await expect(transport.listenWith([Strange])).rejects.toThrow('cannot take so many messages together');
  });

  it('refuses a second handler of a group, which would get an event while the first still handles it', async () => {
    @Controller()
    class Twice {
      @EventPattern(EVENTS, { group: 'spec' })
      take(_event: EventRecord): void {
        throw failure;
      }

      @EventPattern(EVENTS, { group: 'spec' })
      takeToo(_event: EventRecord): void {
        throw failure;
      }
    }
    await expect(transport.listenWith([Twice])).rejects.toThrow('The group spec has more than one handler.');
  });
});
