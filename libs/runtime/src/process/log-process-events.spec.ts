import { createLogger } from '../observability';
import { eventually } from '@svc/testing';
import { logProcessEvents } from './log-process-events';

const EVENTS = ['warning', 'unhandledRejection'] as const;
const before = EVENTS.map((event) => [event, process.listeners(event as 'warning')] as const);
const lines: string[] = [];

beforeEach(() => {
  lines.length = 0;
  // Jest's own would fail the spec.
  process.removeAllListeners('unhandledRejection');
  logProcessEvents(
    createLogger(
      { service: 'platform-spec', level: 'info' },
      { write: (line: string) => void lines.push(line) },
    ),
  );
});
afterEach(() => {
  for (const [event, listeners] of before) {
    process.removeAllListeners(event);
    for (const listener of listeners) process.on(event as 'warning', listener);
  }
});

const logged = (level: string, msg: string, message: string) =>
  eventually(() => {
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level, msg, err: expect.objectContaining({ message }) as unknown }),
    ]);
  });

it('logs what Node.js warns of in one line each', async () => {
  process.emitWarning('a leak may be near', 'MaxListenersExceededWarning');
  await logged('warn', 'Node.js warns', 'a leak may be near');
});

it('logs a rejection that nothing handled, and the process goes on', async () => {
  process.emit('unhandledRejection', new Error('nobody waited'), Promise.resolve());
  await logged('error', 'a rejection was not handled', 'nobody waited');
});
