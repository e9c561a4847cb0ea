import { createLogger, nestLogger } from './logger';

/** What the logger writes while `act` runs, line by line. */
function linesOf(level: string, act: (logger: ReturnType<typeof createLogger>) => void) {
  const lines: string[] = [];
  act(createLogger({ service: 'edge', level }, { write: (line) => void lines.push(line) }));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the log', () => {
  it('is JSON lines with the service, the level by name and the time', () => {
    const [line] = linesOf('info', (logger) => {
      logger.info({ request_id: 'req_1' }, 'answered');
    });
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      service: 'edge',
      request_id: 'req_1',
      msg: 'answered',
    });
  });

  it('tells an error with the whole chain of its causes', () => {
    const refused = new TypeError('connection refused');
    const failed = new Error('query failed', { cause: new Error('no connection', { cause: refused }) });
    const [line] = linesOf('info', (logger) => {
      logger.error({ err: failed }, 'failed');
    });
    expect(line).toMatchObject({
      err: {
        name: 'Error',
        message: 'query failed',
        stack: expect.stringContaining('logger.spec') as string,
        cause: { message: 'no connection', cause: { name: 'TypeError', message: 'connection refused' } },
      },
    });
  });

  it('ends a chain of causes that turns back on itself', () => {
    const first = new Error('first');
    first.cause = new Error('second', { cause: first });
    expect(
      linesOf('info', (logger) => {
        logger.error({ err: first });
      }),
    ).toHaveLength(1);
  });

  it('tells of an error only what it chose to, and of a thrown thing that is none only its type', () => {
    const withBody = Object.assign(new Error('refused'), { body: 'a prompt', config: { key: 'svc_sk_1' } });
    const lines = linesOf('info', (logger) => {
      logger.error({ err: withBody });
      logger.error({ err: new Error('refused', { cause: 'a prompt' }) });
      logger.error({ err: { prompt: 'a prompt' } });
    });
    expect(JSON.stringify(lines)).not.toMatch(/a prompt|svc_sk_1/);
    expect(lines).toHaveLength(3);
  });

  it('keeps the framework quiet about all but warnings and errors', () => {
    const lines = linesOf('info', (logger) => {
      const nest = nestLogger(logger);
      nest.log('Nest application successfully started', 'NestApplication');
      nest.warn('deprecated', 'Router');
      nest.error(new Error('no provider'), 'Injector');
    });
    expect(lines).toEqual([
      expect.objectContaining({ level: 'warn', msg: 'deprecated', context: 'Router' }),
      expect.objectContaining({ level: 'error', msg: 'no provider', context: 'Injector' }),
    ]);
  });
});
