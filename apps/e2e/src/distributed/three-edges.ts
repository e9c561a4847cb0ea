import { inParallel } from '@svc/testing';
import { catalogOf, type CatalogDocument } from '../harness/catalog-file';
import { outcomeOf, post } from '../harness/clients';
import { startInstallation, type Installation } from '../harness/installation';
import { OVERLOADED, sentAgain } from '../harness/sent-again';
import { callApi } from '../oauth/oauth-app';
import { startBillingUpstream, type BillingUpstream } from './billing-upstream';
import { CHAT } from './lanes';
import { openBooks } from './proven-books';
import { newKey, newTenant, of, type Tenant } from './tenant';

export const EDGES = 3;
/** Calls at a time: what a busy machine answers well within the seconds that a call waits for its hold. */
const IN_FLIGHT = 40;
export const PLATFORM_SECRET = 'sk-of-the-platform';
/** The refusal of a budget that has too little. */
export const REFUSED = '402 budget_exceeded budget';
const CREDIT = 10n ** 15n;
/** Of an output token, in nanos; an input token costs a tenth. Whole, so that a hold can be used up exactly. */
const OUTPUT_NANOS = 1_000;
const INPUT_NANOS = 100;
const MAX_TOKENS = 100;
/** Ids of one length, so that calls of either hold the same. */
export const MODELS = ['test/ana', 'test/ben'] as const;

export const callOf = (model: string, more: object = {}) => ({
  model,
  max_tokens: MAX_TOKENS,
  messages: [{ role: 'user', content: 'Is there room?' }],
  ...more,
});

/** Three edges over one database, without the proxy that would balance between them. */
export interface Edges {
  readonly svc: Installation;
  newTenant(): Promise<Tenant>;
  /** The nth call goes to edge n modulo 3, and again where it is overloaded. @returns `200`, or the status and code of a refusal. */
  send(nth: number, secret: string, sent: Sent): Promise<string>;
  stop(): Promise<void>;
}

/** The same before a provider that answers at once. */
interface ThreeEdges extends Edges {
  readonly upstream: BillingUpstream;
}

export interface Sent {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

interface Options {
  /** The variable of the platform's credential for the provider. Default: it needs none. */
  readonly credentialEnv?: string;
}

async function startThreeEdges({ credentialEnv }: Options = {}): Promise<ThreeEdges> {
  const upstream = await startBillingUpstream();
  const edges = await startEdges({
    catalog: catalogAt(upstream.url, credentialEnv),
    env: {
      ...{ SVC_WEBHOOK_ALLOW_PRIVATE: 'true', SVC_TRUSTED_PROXIES: '127.0.0.0/8' },
      ...(credentialEnv !== undefined && { [credentialEnv]: PLATFORM_SECRET }),
    },
  });
  return {
    ...edges,
    upstream,
    stop: async () => {
      await edges.stop();
      await upstream.close();
    },
  };
}

export async function startEdges(
  options: Pick<NonNullable<Parameters<typeof startInstallation>[0]>, 'catalog' | 'env' | 'workers'>,
): Promise<Edges> {
  const svc = await startInstallation({ edges: EDGES, ...options });
  return {
    svc,
    newTenant: () => newTenant(svc, CREDIT),
    send: (nth, secret, { body = callOf(MODELS[0]), headers = {}, path = CHAT }) => {
      const at = { baseUrl: svc.edges[nth % EDGES]?.url ?? '', apiKey: secret };
      return sentAgain(
        async () => outcomeOf(await post(at, path, body, { headers })),
        (outcome) => outcome === OVERLOADED,
      );
    },
    stop: async () => void (await svc.stop()),
  };
}

/** Sends many calls, so many at a time. */
export const crowd = <T>(items: readonly T[], send: (item: T, nth: number) => Promise<string>) =>
  inParallel(items, IN_FLIGHT, send);

/** The edges of a spec file, where each call uses exactly what was held for it. */
interface EdgesOfFile extends Omit<ThreeEdges, 'stop'> {
  /** Of {@link callOf}, in nanos. */
  readonly hold: number;
  /** A call of the management API as the owner. */
  api(tenant: Tenant, method: string, path: string, body?: object): ReturnType<typeof askAs>;
}

/** Starts three edges before the tests of a file, and stops them after. */
export function threeEdges(options: Options = {}): EdgesOfFile {
  let three: ThreeEdges;
  let hold: number;
  beforeAll(async () => {
    three = await startThreeEdges(options);
    hold = await useHoldsUp(three);
  });
  afterAll(() => three.stop());
  return {
    get svc() {
      return three.svc;
    },
    get upstream() {
      return three.upstream;
    },
    get hold() {
      return hold;
    },
    newTenant: () => three.newTenant(),
    send: (nth, secret, sent) => three.send(nth, secret, sent),
    api: (tenant, method, path, body) => askAs(tenant, three.svc, method, path, body),
  };
}

/**
 * Has the provider report that each call used exactly what was held for it, so that what a budget has left does not depend on which
 * calls have ended. @returns the hold of {@link callOf}, in nanos.
 */
async function useHoldsUp({ svc, upstream, newTenant: make, send }: ThreeEdges): Promise<number> {
  const tenant = await make();
  const { secret } = await newKey(svc, tenant);
  expect(await send(0, secret, {})).toBe('200');
  const audit = await openBooks(svc, tenant);
  const hold = Number((await audit.calls())[0]?.heldNanos);
  await audit.close();
  const output = MAX_TOKENS * OUTPUT_NANOS;
  upstream.report({ prompt_tokens: (hold - output) / INPUT_NANOS, completion_tokens: MAX_TOKENS });
  return hold;
}

/** A call of the management API as the owner. */
export const askAs = (
  { apiKey }: Tenant,
  { baseUrl }: Installation,
  method: string,
  path: string,
  body?: object,
) => callApi(baseUrl, method, `/api/v1${path}`, apiKey, body);

/** Creates a blocking budget. @returns its id. */
export async function newBudget(
  { baseUrl }: Installation,
  { apiKey }: Tenant,
  fields: object,
): Promise<string> {
  const body = { name: 'Each', period: 'month', action: 'block', ...fields };
  return of(201, await callApi(baseUrl, 'POST', '/api/v1/budgets', apiKey, body)).id as string;
}

/** Counts outcomes by their names. */
export const countOf = (outcomes: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...Map.groupBy(outcomes, (outcome) => outcome)].map(([name, { length }]) => [name, length]),
  );

/** One provider of chat completions, which messages are translated for. */
function catalogAt(url: string, credentialEnv?: string): CatalogDocument {
  const { providers, models, endpoints } = catalogOf({ name: 'billing', url });
  const chats = endpoints.filter(({ operations }) => operations?.includes('chat_completions') === true);
  return {
    providers: providers
      .filter(({ name }) => chats.some(({ provider }) => provider === name))
      .map((provider) => ({ ...provider, ...(credentialEnv && { credential_env: credentialEnv }) })),
    models: MODELS.flatMap((id) => models.map((model) => ({ ...model, id }))),
    endpoints: MODELS.flatMap((id) =>
      chats.map((chat) => ({
        ...chat,
        model: id,
        upstream_model: id.replace('/', '-'),
        operations: ['chat_completions', 'messages'],
        prices: { input: INPUT_NANOS, output: OUTPUT_NANOS },
      })),
    ),
  };
}
