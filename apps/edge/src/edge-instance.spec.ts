import { createLogger } from '@svc/runtime/observability';
import { EdgeInstance } from './edge-instance';

it('an edge that stops after its database ends cleanly, and warns', async () => {
  const lines: string[] = [];
  const logger = createLogger({ service: 'edge', level: 'warn' }, { write: (line) => void lines.push(line) });
  const instance = new EdgeInstance(
    {
      renewEdgeInstance: () => Promise.resolve(),
      removeEdgeInstance: () => Promise.reject(new Error('connect ECONNREFUSED')),
    },
    logger,
  );
  await instance.start();
  await expect(instance.stop()).resolves.toBeUndefined();
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 'warn', msg: 'edge lease not removed; it lapses by itself' },
  ]);
});
