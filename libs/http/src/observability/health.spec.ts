import { createLogger, createMetrics } from '@svc/runtime/observability';
import fastify, { type FastifyInstance } from 'fastify';
import { createHttpServer } from '../server/http-server';
import { mountHealth, type Dependency } from './health';

const answering: Dependency = { name: 'redis', check: () => Promise.resolve('PONG') };
const failing: Dependency = { name: 'postgres', check: () => Promise.reject(new Error('password=hunter2')) };
const silent: Dependency = { name: 'kafka', check: () => new Promise(() => undefined) };
const throwing: Dependency = {
  name: 'mail',
  check: () => {
    throw new Error('never connected');
  },
};

function serviceWith(...dependencies: Dependency[]): FastifyInstance {
  const server = fastify();
  mountHealth(server, dependencies, createMetrics('edge'));
  return server;
}

describe('health', () => {
  it('is alive regardless of its dependencies', async () => {
    expect((await serviceWith(failing).inject('/healthz')).json()).toEqual({ status: 'ok' });
  });

  it('is ready when every dependency answers', async () => {
    const answer = await serviceWith(answering).inject('/readyz');
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ready' }]);
  });

  it('names dependencies that reject, throw or time out, without the reason', async () => {
    const answer = await serviceWith(answering, failing, silent, throwing).inject('/readyz');
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ status: 'unavailable', failing: ['postgres', 'kafka', 'mail'] });
  });

  it('is not ready while it stops, regardless of its dependencies', async () => {
    const server = fastify();
    let isStopping = false;
    mountHealth(server, [answering], createMetrics('edge'), { isStopping: () => isStopping });
    expect((await server.inject('/readyz')).statusCode).toBe(200);
    isStopping = true;
    const answer = await server.inject('/readyz');
    expect([answer.statusCode, answer.json()]).toEqual([503, { status: 'stopping' }]);
    expect((await server.inject('/healthz')).statusCode).toBe(200);
  });

  it('shows its metrics to the holder of their token alone, where there is one', async () => {
    const server = createHttpServer({ logger: createLogger({ service: 'svc', level: 'silent' }) });
    mountHealth(server, [answering], createMetrics('svc'), { metricsToken: 'right' });
    const statusWith = async (authorization?: string) =>
      (await server.inject({ url: '/metrics', headers: { ...(authorization && { authorization }) } }))
        .statusCode;
    for (const wrong of [undefined, '', 'right', 'Basic right', 'Bearer', 'Bearer wrong', 'Bearer right2']) {
      expect([wrong, await statusWith(wrong)]).toEqual([wrong, 401]);
    }
    expect(await statusWith('Bearer right')).toBe(200);
    expect((await server.inject('/readyz')).statusCode).toBe(200);
    await server.close();
  });

  it('labels its metrics with the name of the service', async () => {
    const answer = await serviceWith().inject('/metrics');
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    expect(answer.body).toMatch(/^process_cpu_seconds_total\{service="edge"\} \d/m);
  });
});
