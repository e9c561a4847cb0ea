import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@svc/testing';
import { type EventRecord } from './event-record';
import { UnprocessableEvent } from './message-parking';
import { InMemoryParking, type TestedTransport } from './testing';

/** Promises of events over every transport. @param name of the transport, as the tests say it. */
export function describeEvents(name: string, open: (parking: InMemoryParking) => TestedTransport): void {
  describe(`events ${name}`, () => {
    let parking: InMemoryParking;
    let transport: TestedTransport;
    let group: string;
    beforeEach(() => {
      parking = new InMemoryParking();
      transport = open(parking);
      group = `spec-${randomUUID()}`;
    });
    afterEach(() => transport.close());

    const event = (id: string, organizationId = 'org_1'): EventRecord => ({
      id,
      type: 'wallet.credit_granted',
      organizationId,
      payload: JSON.stringify({ id, text: 'ü€😀 "\\' }),
    });
    const ids = (count: number, prefix = 'evt') => Array.from({ length: count }, (_, n) => `${prefix}_${n}`);
    /** Like the relay: retries until every event is accepted. */
    const relay = (events: readonly EventRecord[]) => eventually(() => transport.publish(events));
    /** The first occurrence of each event, because repeats are allowed everywhere. */
    const firsts = (seen: readonly string[]) => [...new Set(seen)];

    it('arrive unchanged', async () => {
      const seen: EventRecord[] = [];
      await transport.listen({ [group]: async (taken) => void seen.push(taken) });
      await relay([event('evt_1')]);
      await eventually(() => expect(seen).toEqual([event('evt_1')]));
    });

    it('of one organization keep their order across batches and among other organizations’', async () => {
      const seen: Record<string, string[]> = { org_1: [], org_2: [], org_3: [] };
      await transport.listen({
        [group]: async ({ id, organizationId }) => void seen[organizationId]?.push(id),
      });
      const expected = Object.fromEntries(Object.keys(seen).map((org) => [org, ids(60, org)]));
      const events = ids(60).flatMap((_, n) =>
        Object.keys(seen).map((org) => event(expected[org]![n]!, org)),
      );
      for (let at = 0; at < events.length; at += 50) await relay(events.slice(at, at + 50));
      await eventually(() => expect(seen).toEqual(expected));
    });

    it('reach every group', async () => {
      const seen: string[] = [];
      await transport.listen({
        [`${group}-a`]: async ({ id }) => void seen.push(`a ${id}`),
        [`${group}-b`]: async ({ id }) => void seen.push(`b ${id}`),
      });
      await relay([event('evt_1'), event('evt_2')]);
      await eventually(() => expect(seen.sort()).toEqual(['a evt_1', 'a evt_2', 'b evt_1', 'b evt_2']));
    });

    it('wait for one whose handler fails temporarily, and lose neither it nor their order', async () => {
      const seen: string[] = [];
      let failuresLeft = 3;
      await transport.listen({
        [group]: ({ id }) => {
          if (id === 'evt_1' && failuresLeft-- > 0) return Promise.reject(new Error('try again'));
          seen.push(id);
          return Promise.resolve();
        },
      });
      await relay(ids(4).map((id) => event(id)));
      await eventually(() => expect(firsts(seen)).toEqual(ids(4)));
      expect(parking.messages).toEqual([]);
    });

    it('pass an unprocessable one, which is parked', async () => {
      const seen: string[] = [];
      await transport.listen({
        [group]: ({ id }) => {
          if (id === 'evt_1') return Promise.reject(new UnprocessableEvent('made by a newer version'));
          seen.push(id);
          return Promise.resolve();
        },
      });
      await relay(ids(4).map((id) => event(id)));
      await eventually(() => expect(firsts(seen)).toEqual(['evt_0', 'evt_2', 'evt_3']));
      expect(parking.messages).toMatchObject([
        {
          consumer: group,
          key: 'org_1',
          payload: Buffer.from(event('evt_1').payload),
          reason: 'UnprocessableEvent: made by a newer version',
        },
      ]);
    });

    it('taken together are handed over in few calls, in order, and lose none where one is unprocessable', async () => {
      const seen: string[] = [];
      let calls = 0;
      await transport.listenTogether(group, 100, (events) => {
        calls++;
        if (events.some(({ id }) => id === 'evt_150')) return Promise.reject(new UnprocessableEvent('no'));
        seen.push(...events.map(({ id }) => id));
        return Promise.resolve();
      });
      await relay(ids(600).map((id) => event(id)));
      await eventually(() => expect(firsts(seen)).toEqual(ids(600).filter((id) => id !== 'evt_150')));
      expect(parking.messages).toMatchObject([
        { consumer: group, reason: 'UnprocessableEvent: no', payload: Buffer.from(event('evt_150').payload) },
      ]);
      expect(calls).toBeLessThan(100);
    });

    it('taken together wait for a batch that fails temporarily, and keep their order', async () => {
      const seen: string[] = [];
      let failuresLeft = 8;
      await transport.listenTogether(group, 100, (events) => {
        if (failuresLeft-- > 0) return Promise.reject(new Error('try again'));
        seen.push(...events.map(({ id }) => id));
        return Promise.resolve();
      });
      await relay(ids(20).map((id) => event(id)));
      await eventually(() => expect(firsts(seen)).toEqual(ids(20)));
      expect(parking.messages).toEqual([]);
    });

    it('are not delivered while the handler is busy with an earlier one of the organization', async () => {
      let inHand = 0;
      let most = 0;
      let done = 0;
      await transport.listen({
        [group]: async () => {
          most = Math.max(most, ++inHand);
          await pause(5);
          inHand--;
          done++;
        },
      });
      await relay(ids(20).map((id) => event(id)));
      await eventually(() => expect(done).toBeGreaterThanOrEqual(20));
      expect(most).toBe(1);
    });

    it('in flight are handled before a transport is closed, and none is accepted after', async () => {
      let hasBegun = false;
      let isDone = false;
      await transport.listen({
        [group]: async () => {
          hasBegun = true;
          await pause(300);
          isDone = true;
        },
      });
      const publishing = relay([event('evt_1')]);
      await eventually(() => expect(hasBegun).toBe(true));
      await transport.close();
      expect(isDone).toBe(true);
      await publishing;
      await expect(transport.publish([event('evt_2')])).rejects.toThrow('closed');
    });

    it('may be an empty batch', async () => {
      await transport.listen({ [group]: () => Promise.resolve() });
      await transport.publish([]);
    });
  });
}
