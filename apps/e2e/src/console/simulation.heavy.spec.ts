import { eventually } from '@svc/testing';
import fc from 'fast-check';
import { newTenant, of, type Tenant } from '../distributed/tenant';
import { directedText, post, svcOf, type ErrorBody } from '../harness/clients';
import { startSimulator, type Simulator } from '../harness/simulator-process';
import { startSvc, type Svc } from '../harness/svc-process';
import { callApi } from '../oauth/oauth-app';
import { startPacedProviders, type PacedProviders } from './paced-providers';
import {
  MODELS,
  OWNED,
  OWNED_MODEL,
  PLATFORM_KEY,
  PROVIDERS,
  REGIONS,
  sampleBodies,
  simulationCatalog,
  speeds,
  type SimulatedOperation,
} from './simulation-catalog';

jest.setTimeout(240_000);

const SEED = 118;
const RUNS = 50;
const CREDIT = 10n ** 12n;
/** Edges report every 10 s. */
const REPORTED_MS = 15_000;

interface SimulatedEndpoint {
  readonly id: string;
  readonly provider: string;
  readonly region: string;
}

interface Simulation {
  readonly attempts: readonly { readonly endpoint: SimulatedEndpoint; readonly latency: number | null }[];
  readonly excluded: readonly { readonly endpoint: SimulatedEndpoint; readonly constraint: string }[];
  readonly refusal: object | null;
}

interface Question {
  readonly policy: object;
  readonly model: string;
  readonly operation: SimulatedOperation;
  readonly compat_mode: 'permissive' | 'strict';
  readonly parameters: readonly string[];
}

const names = (...all: readonly string[]) => fc.subarray([...all, 'of-no-catalog']);
const rarely = <T>(value: fc.Arbitrary<T>, otherwise: T) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(otherwise) }, { weight: 1, arbitrary: value });
const randomPolicy = fc.record({
  allowed_providers: rarely<string[] | null>(names(...PROVIDERS), null),
  denied_providers: names(...PROVIDERS.slice(0, 2)),
  allowed_regions: rarely<string[] | null>(names(...REGIONS), null),
  denied_regions: rarely(names(...REGIONS), []),
  denied_models: rarely<string[]>(fc.subarray(['test/echo', OWNED_MODEL, 'of/no-catalog']), []),
  require_zero_retention: rarely(fc.boolean(), false),
  sort: fc.constantFrom('price', 'latency', 'throughput'),
  max_attempts: fc.option(fc.integer({ min: 1, max: 4 })),
  credential_mode: rarely(fc.constantFrom('own_only', 'platform_only'), 'own_first'),
  // A simulated call is part of no conversation.
  affinity: fc.constant('off'),
});
const randomCall = fc
  .constantFrom<SimulatedOperation>('chat_completions', 'messages', 'responses', 'embeddings')
  .chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      model: fc.constantFrom(...MODELS[operation], ...MODELS[operation], 'test/none', OWNED_MODEL),
      compat_mode: fc.constantFrom('permissive' as const, 'strict' as const),
      parameters: fc.subarray(Object.keys(sampleBodies[operation].parameters), { maxLength: 3 }),
    }),
  );

describe('a simulation of the policy', () => {
  let simulator: Simulator;
  let providers: PacedProviders;
  let svc: Svc;
  beforeAll(async () => {
    simulator = await startSimulator();
    providers = await startPacedProviders(simulator.url, speeds);
    svc = await startSvc({
      catalog: simulationCatalog(providers.url),
      env: { [PLATFORM_KEY]: 'sk-of-the-platform' },
    });
  });
  afterAll(async () => {
    await svc.stop();
    await providers.stop();
    await simulator.stop();
  });

  const api = (tenant: Tenant, method: string, path: string, body: object) =>
    callApi(svc.baseUrl, method, `/api/v1${path}`, tenant.apiKey, body);
  const simulate = async (tenant: Tenant, question: object): Promise<Simulation> =>
    of(200, await api(tenant, 'POST', '/policy/simulate', question)) as Simulation;
  const call = (tenant: Tenant, { operation, model, parameters, compat_mode }: Omit<Question, 'policy'>) => {
    const { path, bodyOf, parameters: values } = sampleBodies[operation];
    const given = Object.fromEntries(parameters.map((name) => [name, values[name]]));
    const prompt = directedText({ reply_words: 5 });
    const body = { ...bodyOf(prompt), model, compat_mode, ...given };
    return post(svc, path, body, { headers: { authorization: `Bearer ${tenant.apiKey}` } });
  };
  /** The outcome of a call: its first endpoint, or its refusal. */
  async function outcome(answer: Response) {
    const body: unknown = await answer.json();
    if (answer.status !== 200) {
      const { type, code, message, param = null, retriable } = (body as ErrorBody).error;
      return { refusal: { status: answer.status, type, code, message, param, retriable } };
    }
    const { provider, attempts } = svcOf(body);
    return { first: `${provider} ${attempts[0]?.region ?? ''}` };
  }
  function simulatedOutcome({ attempts, refusal }: Simulation) {
    const [first] = attempts;
    if (first !== undefined) return { first: `${first.endpoint.provider} ${first.endpoint.region}` };
    return { refusal };
  }

  it('names the first endpoint and the refusal of real calls', async () => {
    const measuring = await newTenant(svc, CREDIT);
    await measureAll(measuring);
    const questions = fc.sample(fc.record({ policy: randomPolicy, call: randomCall, own: fc.boolean() }), {
      numRuns: RUNS,
      seed: SEED,
    });
    const told = { served: 0, refused: 0 };
    for (const { policy, call: asked, own } of questions) {
      // The edge has nothing of a new organization in its caches.
      const tenant = await newTenant(svc, CREDIT);
      if (own) await storeCredential(tenant);
      const draft = await simulate(tenant, { ...asked, policy });
      of(200, await api(tenant, 'PUT', '/policy', policy));
      const { excluded: _byName, ...inForce } = await simulate(tenant, asked);
      const real = await outcome(await call(tenant, asked));
      expect({ asked, policy, own, ...real }).toEqual({ asked, policy, own, ...simulatedOutcome(draft) });
      expect(inForce.attempts.map(({ endpoint }) => endpoint)).toEqual(
        draft.attempts.map(({ endpoint }) => endpoint),
      );
      if (draft.refusal === null) told.served++;
      else told.refused++;
    }
    expect(Math.min(told.served, told.refused)).toBeGreaterThan(RUNS / 5);
  });

  it('leaves out an endpoint whose circuit is open, as calls do', async () => {
    const tenant = await newTenant(svc, CREDIT);
    const question: Question = {
      policy: {},
      model: 'test/echo',
      operation: 'chat_completions',
      compat_mode: 'permissive',
      parameters: [],
    };
    const [cheapest] = (await simulate(tenant, question)).attempts;
    const failing = directedText({ status: 500, only_model: cheapest?.endpoint.provider });
    for (let failures = 0; failures < 5; failures++) {
      const body = {
        ...sampleBodies.chat_completions.bodyOf(`${String(failures)} ${failing}`),
        model: question.model,
      };
      await post(svc, '/v1/chat/completions', body, {
        headers: { authorization: `Bearer ${tenant.apiKey}` },
      });
    }
    const open = await eventually(async () => {
      const simulation = await simulate(tenant, question);
      expect(simulation.excluded).toContainEqual(
        expect.objectContaining({ endpoint: cheapest?.endpoint, constraint: 'circuit' }),
      );
      return simulation;
    }, REPORTED_MS);
    expect(await outcome(await call(tenant, question))).toEqual(simulatedOutcome(open));
  });

  /** Own credentials come before others, whatever their price. */
  const storeCredential = async (tenant: Tenant) =>
    of(
      201,
      await api(tenant, 'POST', '/provider-credentials', {
        provider: OWNED,
        label: 'Ours',
        secret: 'sk-of-our-own-1234',
      }),
    );

  /** Calls every endpoint once, and waits until edges have told how fast each is. */
  async function measureAll(tenant: Tenant) {
    await storeCredential(tenant);
    const questions = (Object.keys(MODELS) as SimulatedOperation[]).flatMap((operation) =>
      MODELS[operation].map((model) => ({ operation, model })),
    );
    for (const question of questions) {
      const { attempts } = await simulate(tenant, { ...question, policy: {} });
      for (const { endpoint } of attempts) await measure(tenant, question, endpoint);
    }
    await eventually(async () => {
      for (const question of questions) {
        const { attempts } = await simulate(tenant, { ...question, policy: {} });
        expect(attempts.filter(({ latency }) => latency === null)).toEqual([]);
      }
    }, REPORTED_MS);
  }

  async function measure(
    tenant: Tenant,
    question: Pick<Question, 'operation' | 'model'>,
    { provider, region }: SimulatedEndpoint,
  ): Promise<void> {
    of(200, await api(tenant, 'PUT', '/policy', { allowed_providers: [provider] }));
    const plain = { ...question, compat_mode: 'permissive', parameters: [] } as const;
    await eventually(async () => {
      expect(await outcome(await call(tenant, plain))).toEqual({ first: `${provider} ${region}` });
    }, REPORTED_MS);
  }
});
