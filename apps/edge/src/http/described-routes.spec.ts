import { inferenceRoutes } from '@svc/api';
import { createHttpServer } from '@svc/http';
import { createLogger } from '@svc/runtime/observability';
import { mountedRoutes } from '@svc/testing';
import { inferenceCalls } from './entry/inference-calls';
import { tokenCounts } from './entry/token-counts';
import { mountModelRoutes } from './model-routes';

const logger = createLogger({ service: 'edge', level: 'silent' });

/** This spec only lists routes; it calls none. */
const unused = { logger } as never;

/** Both kinds of routes of `EdgeModule`: those that bypass the framework, and those of the framework. */
function servedRoutes(): string[] {
  const server = createHttpServer({ logger });
  const mounted = mountedRoutes(server);
  mountModelRoutes(server, unused);
  const entered = [...inferenceCalls(unused), ...tokenCounts(unused)].map(([path]) => `POST ${path}`);
  return [...entered, ...mounted.map(({ method, path }) => `${method} ${path}`)];
}

describe('the descriptions of the edge’s routes', () => {
  it('name what it serves, and nothing else', () => {
    const described = Object.entries(inferenceRoutes.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace('{model_id}', '*')}`),
    );
    // `/v1/v1/…` is the same as `/v1/…`, as their description says.
    const served = servedRoutes().map((route) => route.replace('/v1/v1/', '/v1/'));
    expect(new Set(described)).toEqual(new Set(served));
  });
});
