import { createLogger } from '@svc/runtime/observability';
import { eventually } from '@svc/testing';
import { logWarnings } from './log-warnings';

const before = process.listeners('warning');
afterEach(() => {
  process.removeAllListeners('warning');
  for (const listener of before) process.on('warning', listener);
});

it('logs what Node.js warns of in one line each', async () => {
  const lines: string[] = [];
  logWarnings(
    createLogger(
      { service: 'platform-spec', level: 'info' },
      { write: (line: string) => void lines.push(line) },
    ),
  );
  process.emitWarning('a leak may be near', 'MaxListenersExceededWarning');
  await eventually(() => {
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        level: 'warn',
        msg: 'Node.js warns',
        err: expect.objectContaining({ message: 'a leak may be near' }) as unknown,
      }),
    ]);
  });
});
