import { eventually } from '@svc/testing';
import { catalogOf, testModel, type CatalogDocument } from './harness/catalog-file';
import { directed, post, type ErrorBody } from './harness/clients';
import { startSimulator, type Simulator } from './harness/simulator-process';
import { startSvc, type Svc } from './harness/svc-process';
import { errorRows } from './matrix/error-rows';
import { openOperatorDatabase, type OperatorDatabase } from './matrix/operator-database';

const ROUTES = ['/v1/chat/completions', '/v1/messages'] as const;
type Route = (typeof ROUTES)[number];

/** Rows that no inference call can meet. */
const NOT_OF_INFERENCE: Readonly<Record<string, string>> = {
  '400 approval_required': 'management mutations alone are gated by approval policies',
  '401 token_revoked': 'OAuth tokens are issued, revoked and taken by the management API',
  '403 insufficient_scope': 'needs an OAuth token, which only the authorization service issues',
};

interface Provoked {
  readonly answer: Response;
  readonly param?: string;
  /** What the message must tell the caller. */
  readonly tells?: RegExp;
  /** Where the row leaves the code open. */
  readonly code?: string;
  readonly retryAfter?: string;
}

interface Scenario {
  readonly reachesProvider: boolean;
  provoke(route: Route): Promise<Provoked>;
}

const ONLY_TEMPERATURE = 'test/plain';
/** Served on one route alone. */
const oneRouteModel = (operation: 'chat_completions' | 'messages') => `test/only-${operation}`;

function catalogFor(url: string): CatalogDocument {
  const { providers, models, endpoints } = catalogOf({ name: 'only', url, region: 'eu' });
  const added = [ONLY_TEMPERATURE, oneRouteModel('chat_completions'), oneRouteModel('messages')];
  return {
    providers,
    models: [...models, ...added.map((id) => ({ ...models[0]!, id }))],
    endpoints: [
      ...endpoints,
      ...endpoints.map((endpoint) => ({ ...endpoint, model: ONLY_TEMPERATURE, parameters: ['temperature'] })),
      ...endpoints.map((endpoint) => ({ ...endpoint, model: oneRouteModel(endpoint.operations![0]!) })),
    ],
  };
}

describe('the table of gateway errors in interface.md', () => {
  let simulator: Simulator;
  let svc: Svc;
  let operator: OperatorDatabase;

  beforeAll(async () => {
    simulator = await startSimulator();
    svc = await startSvc({ catalog: catalogFor(simulator.url) });
    operator = await openOperatorDatabase(svc);
  });
  afterAll(async () => {
    await operator.close();
    await svc.stop();
    await simulator.stop();
  });

  const body = (directive: Record<string, unknown> = {}, more: object = {}) => ({
    model: testModel,
    max_tokens: 50,
    messages: [directed(directive, 'Hello')],
    ...more,
  });
  const call = (route: Route, sent: object, headers: Record<string, string> = {}) =>
    post(svc, route, sent, { headers });
  const callAs = (secret: string, route: Route, sent: object = body()) =>
    call(route, sent, { authorization: `Bearer ${secret}` });
  const keyOf = async (organizationId: string) => (await operator.addKey({ organizationId })).secret;

  async function callUnderPolicy(document: object, route: Route): Promise<Response> {
    const organizationId = await operator.addOrganization();
    await operator.writePolicy(organizationId, document);
    return callAs(await keyOf(organizationId), route);
  }

  const scenarios: Readonly<Record<string, Scenario>> = {
    '400 invalid_request': {
      reachesProvider: false,
      provoke: async (route) => ({
        answer: await call(route, body({}, { messages: [{ role: 'nobody', content: 'x' }] })),
        param: 'messages[0].role',
      }),
    },
    '400 provider_http_4xx': {
      reachesProvider: true,
      provoke: async (route) => ({
        answer: await call(route, body({ status: 413, error_message: 'Too long for me.' })),
        code: 'provider_http_413',
        tells: /Too long for me\./,
      }),
    },
    '400 unsupported_parameter': {
      reachesProvider: false,
      provoke: async (route) => ({
        answer: await call(route, body({}, { callback_url: 'https://example.com' })),
        param: 'callback_url',
      }),
    },
    '401 invalid_api_key': {
      reachesProvider: false,
      provoke: async (route) => ({ answer: await callAs(`svc_sk_${'0'.repeat(43)}`, route) }),
    },
    '402 insufficient_funds': {
      reachesProvider: false,
      provoke: async (route) => ({
        answer: await callAs(await keyOf(await operator.addOrganization()), route),
        code: 'insufficient_funds',
      }),
    },
    '402 budget_exceeded': {
      reachesProvider: false,
      provoke: async (route) => {
        const { organizationId } = svc;
        const key = await operator.addKey({ organizationId });
        await operator.addBudget(key, organizationId, 'Pocket money', 1n);
        return { answer: await callAs(key.secret, route), param: 'budget', tells: /Pocket money/ };
      },
    },
    '403 permission': {
      reachesProvider: false,
      provoke: async (route) => {
        const key = await operator.addKey({ organizationId: svc.organizationId, scopes: ['usage:read'] });
        return { answer: await callAs(key.secret, route), code: 'permission_denied' };
      },
    },
    '404 not_found': {
      reachesProvider: false,
      provoke: async (route) => ({
        answer: await call(route, body({}, { model: 'none/such' })),
        code: 'not_found',
        param: 'model',
      }),
    },
    '409 idempotency_key_reused': {
      reachesProvider: true,
      provoke: async (route) => {
        const headers = { 'idempotency-key': crypto.randomUUID() };
        expect((await call(route, body(), headers)).status).toBe(200);
        return { answer: await call(route, body({}, { max_tokens: 51 }), headers), param: 'Idempotency-Key' };
      },
    },
    '409 idempotency_in_progress': {
      reachesProvider: true,
      provoke: async (route) => {
        const headers = { 'idempotency-key': crypto.randomUUID() };
        const slow = body({ delay_ms: 1500 });
        const original = call(route, slow, headers);
        await eventually(async () => {
          expect(await inFlight(simulator)).toBe(1);
        });
        const answer = await call(route, slow, headers);
        expect((await original).status).toBe(200);
        return { answer, param: 'Idempotency-Key' };
      },
    },
    '422 capability_unsupported': {
      reachesProvider: false,
      provoke: async (route) => {
        const param = route === '/v1/messages' ? 'top_k' : 'seed';
        const strict = { model: ONLY_TEMPERATURE, compat_mode: 'strict', temperature: 1, [param]: 7 };
        return {
          answer: await call(route, body({}, strict)),
          code: 'capability_unsupported',
          param,
          tells: new RegExp(param),
        };
      },
    },
    '422 no_eligible_route': {
      reachesProvider: false,
      provoke: async (route) => ({
        answer: await callUnderPolicy({ denied_regions: ['eu'] }, route),
        param: 'model',
      }),
    },
    '422 operation_unsupported': {
      reachesProvider: false,
      provoke: async (route) => {
        const [other, otherRoute] =
          route === '/v1/messages'
            ? (['chat_completions', '/v1/chat/completions'] as const)
            : (['messages', '/v1/messages'] as const);
        const answer = await call(route, body({}, { model: oneRouteModel(other) }));
        return { answer, param: 'model', tells: new RegExp(otherRoute) };
      },
    },
    '429 rate_limit': {
      reachesProvider: true,
      provoke: async (route) => {
        const { organizationId } = svc;
        const { secret } = await operator.addKey({ organizationId, rateLimitRpm: 1 });
        expect((await callAs(secret, route)).status).toBe(200);
        const recorded = await operator.recordedRequests(organizationId);
        const answer = await callAs(secret, route);
        expect(answer.headers.get('x-ratelimit-scope')).toBe('key');
        expect(answer.headers.get('x-ratelimit-limit')).toBe('1');
        expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
        expect(await operator.recordedRequests(organizationId)).toBe(recorded);
        return { answer, param: 'requests' };
      },
    },
    '429 provider_rate_limit': {
      reachesProvider: true,
      provoke: async (route) => ({
        answer: await call(route, body({ status: 429, headers: { 'retry-after': '7' } })),
        retryAfter: '7',
      }),
    },
    '500 internal': {
      reachesProvider: false,
      // A policy that cannot be read: nothing is sent that it might forbid.
      provoke: async (route) => ({
        answer: await callUnderPolicy({ denied_planets: ['mars'] }, route),
        code: 'internal',
      }),
    },
    '502 provider_error': {
      reachesProvider: true,
      provoke: async (route) => ({
        answer: await call(route, body({ status: 500 })),
        code: 'provider_error',
      }),
    },
    '503 overloaded': {
      reachesProvider: true,
      provoke: async (route) => ({ answer: await call(route, body({ status: 503 })), code: 'overloaded' }),
    },
  };

  const rows = errorRows();

  it('has a scenario for each row, or a reason why an inference call cannot meet it', () => {
    expect(rows.length).toBeGreaterThan(15);
    const covered = [...Object.keys(scenarios), ...Object.keys(NOT_OF_INFERENCE)];
    expect(covered.sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  describe.each(ROUTES)('on %s', (route) => {
    it.each(rows.filter(({ name }) => name in scenarios))('$name is answered as it says', async (row) => {
      const { provoke, reachesProvider } = scenarios[row.name]!;
      await simulator.clearJournal();
      const { answer, code = row.code, param, tells, retryAfter } = await provoke(route);
      const { headers } = answer;
      const { error } = (await answer.json()) as ErrorBody;

      expect([answer.status, error.type, error.code]).toEqual([row.status, row.type, code]);
      expect([error.param, error.retriable]).toEqual([param, row.retriable]);
      expect(error.message).toMatch(tells ?? /\w/);
      expect(error.request_id).toMatch(/^req_/);
      expect(headers.get('x-request-id')).toBe(error.request_id);
      expect(headers.get('x-should-retry')).toBe(String(row.retriable));
      const isLimit = row.status === 429;
      expect(headers.get('retry-after')).toEqual(
        isLimit ? (retryAfter ?? expect.stringMatching(/^\d+$/)) : null,
      );
      expect((await simulator.journal()).length > 0).toBe(reachesProvider);
    });
  });
});

async function inFlight({ url }: Simulator): Promise<number> {
  const { counters } = (await (await fetch(`${url}/__simulator/journal`)).json()) as {
    counters: { in_flight: number };
  };
  return counters.in_flight;
}
