import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@svc/testing';
import { startSimulator, type Simulator } from './index';

const ROUNDS = 20;
/** Of one answer. */
const STREAM_BYTES = 55e6;

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ port: 0, host: '127.0.0.1' });
});
afterAll(() => simulator.close());

describe('startSimulator', () => {
  it('sends no faster than the client reads', async () => {
    const content = '@simulator {"reply_words":200000}';
    const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content }] });
    const stall = async () => {
      const slowReader = connect(simulator.port, '127.0.0.1').pause();
      slowReader.write(
        `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: ${String(body.length)}\r\n\r\n${body}`,
      );
      await once(slowReader, 'readable');
      return slowReader;
    };
    const first = await stall();
    const before = process.memoryUsage().rss;
    const stalled = [];
    for (let round = 0; round < ROUNDS; round++) stalled.push(await stall());
    await pause(2_000);
    expect(simulator.journal.counters()).toMatchObject({ in_flight: ROUNDS + 1 });
    // A third of what it would keep, if it wrote the answers without waiting.
    expect(process.memoryUsage().rss - before).toBeLessThan((ROUNDS * STREAM_BYTES) / 3);
    for (const reader of [first, ...stalled]) reader.destroy();
    await eventually(() => expect(simulator.journal.counters()).toMatchObject({ in_flight: 0 }));
  });
});
