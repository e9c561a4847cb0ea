import { setTimeout as pause } from 'node:timers/promises';
import { Controller, type Type } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { eventually } from '@svc/testing';
import { type CallClient, type CallRecord, CALLS } from './call-record';
import { type EventRecord, EVENTS } from './event-record';
import { InMemoryParking, type TestedTransport } from './testing';

interface OpenedCalls {
  readonly transport: TestedTransport;
  readonly calls: CallClient;
}

const call = (organizationId: string, payload = 'ü€😀 "\\'): CallRecord => ({ organizationId, payload });

/** Promises of finished calls over every transport. @param name of the transport, as the tests say it. */
export function describeCalls(name: string, open: (parking: InMemoryParking) => OpenedCalls): void {
  describe(`finished calls ${name}`, () => {
    let parking: InMemoryParking;
    let opened: OpenedCalls;
    beforeEach(() => {
      parking = new InMemoryParking();
      opened = open(parking);
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
      await eventually(() => expect(seen).toEqual(expect.arrayContaining(sent)));
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
      await eventually(() => expect(seen).toContain('ready'));
      await opened.calls.handOver([call('org_1', 'first'), call('org_1', 'second')]);
      await eventually(() => expect(seen).toContain('second'));
      expect(seen.filter((payload) => payload !== 'ready')).toEqual(['first', 'second']);
      expect(parking.messages).toEqual([]);
    });

    it('may be none', async () => {
      await opened.transport.listenWith([handlerOf(() => Promise.resolve())]);
      await opened.calls.handOver([]);
    });
  });
}
