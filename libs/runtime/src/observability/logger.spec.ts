import { linesOf } from './testing/lines-of';

describe('the log', () => {
  it('consists of JSON lines with the service, the level name and the time', () => {
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

  it('has the whole chain of an error’s causes', () => {
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

  it('ends a cyclic chain of causes', () => {
    const first = new Error('first');
    first.cause = new Error('second', { cause: first });
    expect(
      linesOf('info', (logger) => {
        logger.error({ err: first });
      }),
    ).toHaveLength(1);
  });

  it('has only name, message and stack of an error, and only the type of any other thrown value', () => {
    const withBody = Object.assign(new Error('refused'), { body: 'a prompt', config: { key: 'svc_sk_1' } });
    const lines = linesOf('info', (logger) => {
      logger.error({ err: withBody });
      logger.error({ err: new Error('refused', { cause: 'a prompt' }) });
      logger.error({ err: { prompt: 'a prompt' } });
    });
    expect(JSON.stringify(lines)).not.toMatch(/a prompt|svc_sk_1/);
    expect(lines).toHaveLength(3);
  });
});
