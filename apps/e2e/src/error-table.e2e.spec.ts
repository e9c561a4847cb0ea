import { eventually } from '@svc/testing';
import {
  catalogOf,
  embeddingModel,
  testModel,
  withEmbeddings,
  type CatalogDocument,
} from './harness/catalog-file';
import { directed, directedText, post, type ErrorBody } from './harness/clients';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';
import { errorRows } from './matrix/error-rows';
import { openOperatorDatabase, type OperatorDatabase } from './matrix/operator-database';

const ROUTES = ['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1/embeddings'] as const;
type Route = (typeof ROUTES)[number];
type Directive = Record<string, unknown>;

/** Rows that no inference call can get. */
const NOT_OF_INFERENCE: Readonly<Record<string, string>> = {
  '400 approval_required': 'of changes that wait for approval',
  '400 url_not_allowed': 'of webhook endpoints',
  '400 unknown_event_type': 'of webhook endpoints',
  '400 invalid_training_file': 'of training files',
  '401 invalid_login': 'of the login',
  '401 not_logged_in': 'of the login',
  '401 token_revoked': 'needs an access token that was issued and revoked: see the specs of OAuth',
  '403 insufficient_scope': 'needs an access token that was issued: see the specs of OAuth',
  '401 invalid_client': 'of the token endpoint',
  '400 invalid_grant': 'of the token endpoint',
  '400 unsupported_grant_type': 'of the token endpoint',
  '400 invalid_scope': 'of the token endpoint',
  '409 conflict': 'of changes in the management API',
  '409 target_changed': 'only in the error of an approval request',
  '412 precondition_failed': 'of changes in the management API',
  '500 internal, retriable': 'nothing in the service expects it, so nothing provokes it',
};

interface Provoked {
  readonly answer: Response;
  readonly param?: string;
  /** A text that the message must contain. */
  readonly tells?: RegExp;
  /** The code, when the row lists several. */
  readonly code?: string;
  readonly retryAfter?: string;
}

interface Scenario {
  readonly reachesProvider: boolean;
  provoke(route: Route): Promise<Provoked>;
}

/** A model that takes few parameters. */
const PLAIN = 'test/plain';
const PLAIN_PARAMETERS = ['temperature', 'user'];
/** A model that is served on one route only. */
const oneRouteModel = (operation: string) => `test/only-${operation}`;

/** The form of a route's calls. */
interface RouteCalls {
  readonly body: (directive: Directive) => object;
  /** Fields that are refused, and the place of the fault. */
  readonly faulty: readonly [fields: object, param: string];
  /** A field that makes another call of it. */
  readonly other: object;
  /** A parameter that the plain model does not take. */
  readonly unsupported: string;
  /** A model that is not served here, and the route that serves it. */
  readonly elsewhere: readonly [model: string, route: string];
}

const conversation = (directive: Directive) => ({
  model: testModel,
  max_tokens: 50,
  messages: [directed(directive, 'Hello')],
});
const nobody = [{ messages: [{ role: 'nobody', content: 'x' }] }, 'messages[0].role'] as const;

const calls: Readonly<Record<Route, RouteCalls>> = {
  '/v1/chat/completions': {
    body: conversation,
    faulty: nobody,
    other: { max_tokens: 51 },
    unsupported: 'seed',
    elsewhere: [oneRouteModel('messages'), '/v1/messages'],
  },
  '/v1/messages': {
    body: conversation,
    faulty: nobody,
    other: { max_tokens: 51 },
    unsupported: 'top_k',
    elsewhere: [oneRouteModel('chat_completions'), '/v1/chat/completions or POST /v1/responses'],
  },
  '/v1/responses': {
    body: (directive) => ({ model: testModel, max_output_tokens: 50, input: [directed(directive, 'Hello')] }),
    faulty: [{ input: [{ role: 'nobody', content: 'x' }] }, 'input[0].role'],
    other: { temperature: 0 },
    unsupported: 'top_p',
    elsewhere: [oneRouteModel('messages'), '/v1/messages'],
  },
  '/v1/embeddings': {
    body: (directive) => ({ model: embeddingModel, input: ['Hello', directedText(directive)] }),
    faulty: [{ input: [''] }, 'input'],
    other: { user: 'u-2' },
    unsupported: 'dimensions',
    elsewhere: [testModel, '/v1/chat/completions'],
  },
};

function catalogFor(url: string): CatalogDocument {
  const { providers, models, endpoints } = withEmbeddings(catalogOf({ name: 'only', url, region: 'eu' }));
  const added = [
    PLAIN,
    oneRouteModel('chat_completions'),
    oneRouteModel('messages'),
    oneRouteModel('embeddings'),
  ];
  return {
    providers,
    models: [...models, ...added.map((id) => ({ ...models[0]!, id }))],
    endpoints: [
      ...endpoints,
      ...endpoints.map((endpoint) => ({ ...endpoint, model: PLAIN, parameters: PLAIN_PARAMETERS })),
      ...endpoints.map((endpoint) => ({ ...endpoint, model: oneRouteModel(endpoint.operations![0]!) })),
    ],
  };
}

describe('the table of docs/reference/errors.md', () => {
  let svc: SharedSvc;
  let operator: OperatorDatabase;

  beforeAll(async () => {
    svc = await sharedSvc({ catalog: catalogFor });
    operator = await openOperatorDatabase(svc);
  });
  afterAll(() => operator.close());

  const body = (route: Route, directive: Directive = {}, more: object = {}) => ({
    ...calls[route].body(directive),
    ...more,
  });
  const call = (route: Route, sent: object, headers: Record<string, string> = {}) =>
    post(svc, route, sent, { headers });
  const callAs = (secret: string, route: Route, sent: object = body(route)) =>
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
      provoke: async (route) => {
        const [fields, param] = calls[route].faulty;
        return { answer: await call(route, body(route, {}, fields)), param };
      },
    },
    '400 provider_http_400': {
      reachesProvider: true,
      provoke: async (route) => ({
        answer: await call(route, body(route, { status: 413, error_message: 'Too long for me.' })),
        code: 'provider_http_413',
        tells: /Too long for me\./,
      }),
    },
    '400 unsupported_parameter': {
      reachesProvider: false,
      provoke: async (route) => ({
        answer: await call(route, body(route, {}, { callback_url: 'https://example.com' })),
        param: 'callback_url',
      }),
    },
    '401 invalid_api_key': {
      reachesProvider: false,
      provoke: async (route) => ({ answer: await callAs(`svc_sk_${'0'.repeat(43)}`, route) }),
    },
    '401 invalid_token': {
      reachesProvider: false,
      provoke: async (route) => ({ answer: await callAs('eyJhbGciOiJFZERTQSJ9.e30.forged', route) }),
    },
    '402 insufficient_funds': {
      reachesProvider: false,
      provoke: async (route) => ({
        answer: await callAs(await keyOf(await operator.addOrganization()), route),
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
    '403 permission_denied': {
      reachesProvider: false,
      provoke: async (route) => {
        const key = await operator.addKey({ organizationId: svc.organizationId, scopes: ['usage:read'] });
        return { answer: await callAs(key.secret, route) };
      },
    },
    '404 not_found': {
      reachesProvider: false,
      provoke: async (route) => ({
        answer: await call(route, body(route, {}, { model: 'none/such' })),
        param: 'model',
      }),
    },
    '405 method_not_allowed': {
      reachesProvider: false,
      provoke: async (route) => {
        const answer = await fetch(svc.baseUrl + route, { headers: { 'x-api-key': svc.apiKey } });
        expect(answer.headers.get('allow')).toBe('POST');
        return { answer };
      },
    },
    '409 idempotency_key_reused': {
      reachesProvider: true,
      provoke: async (route) => {
        const headers = { 'idempotency-key': crypto.randomUUID() };
        expect((await call(route, body(route), headers)).status).toBe(200);
        const other = body(route, {}, calls[route].other);
        return { answer: await call(route, other, headers), param: 'Idempotency-Key' };
      },
    },
    '409 idempotency_in_progress': {
      reachesProvider: true,
      provoke: async (route) => {
        const headers = { 'idempotency-key': crypto.randomUUID() };
        const slow = body(route, { delay_ms: 1500 });
        const original = call(route, slow, headers);
        await eventually(async () => {
          expect(await inFlight(svc.simulator)).toBe(1);
        });
        const answer = await call(route, slow, headers);
        expect((await original).status).toBe(200);
        return { answer, param: 'Idempotency-Key' };
      },
    },
    '415 unsupported_content_encoding': {
      reachesProvider: false,
      provoke: async (route) => ({
        answer: await call(route, body(route), { 'content-encoding': 'gzip' }),
        param: 'Content-Encoding',
      }),
    },
    '422 capability_unsupported': {
      reachesProvider: false,
      provoke: async (route) => {
        const { unsupported: param } = calls[route];
        const strict = { model: PLAIN, compat_mode: 'strict', [param]: 7 };
        return {
          answer: await call(route, body(route, {}, strict)),
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
        const [model, right] = calls[route].elsewhere;
        const answer = await call(route, body(route, {}, { model }));
        return { answer, param: 'model', tells: new RegExp(right) };
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
        answer: await call(route, body(route, { status: 429, headers: { 'retry-after': '7' } })),
        retryAfter: '7',
      }),
    },
    '500 internal': {
      reachesProvider: false,
      // A policy that cannot be read: a call that it might forbid must not be sent.
      provoke: async (route) => ({
        answer: await callUnderPolicy({ denied_planets: ['mars'] }, route),
      }),
    },
    '502 provider_error': {
      reachesProvider: true,
      provoke: async (route) => ({ answer: await call(route, body(route, { status: 500 })) }),
    },
    '503 overloaded': {
      reachesProvider: true,
      provoke: async (route) => ({ answer: await call(route, body(route, { status: 503 })) }),
    },
  };

  const rows = errorRows();

  it('has a scenario for each row, or a reason why an inference call cannot get it', () => {
    expect(rows.length).toBeGreaterThan(30);
    const covered = [...Object.keys(scenarios), ...Object.keys(NOT_OF_INFERENCE)];
    expect(covered.sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  describe.each(ROUTES)('on %s', (route) => {
    it.each(rows.filter(({ name }) => name in scenarios))('$name is answered as it says', async (row) => {
      const { provoke, reachesProvider } = scenarios[row.name]!;
      await svc.simulator.clearJournal();
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
      expect((await svc.simulator.journal()).length > 0).toBe(reachesProvider);
    });
  });
});

async function inFlight({ url }: SharedSvc['simulator']): Promise<number> {
  const { counters } = (await (await fetch(`${url}/__simulator/journal`)).json()) as {
    counters: { in_flight: number };
  };
  return counters.in_flight;
}
