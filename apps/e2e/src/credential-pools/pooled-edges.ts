import { type CatalogDocument } from '../harness/catalog-file';
import { askAs, EDGES, startEdges, type Edges } from '../distributed/three-edges';
import { newKey, of, type Tenant } from '../distributed/tenant';
import { markedAs, startProviderAccounts, type ProviderAccounts } from './provider-accounts';

const PROVIDER = 'accounts';
/** Two models at one provider: it limits the rate of each by itself. */
export const SMALL = 'test/small';
export const LARGE = 'test/large';

/** The name of a model at the provider. */
export const upstreamModel = (model: string): string => model.replace('/', '-');

/** @param credentialEnv the variable of the platform's credential; null where the provider takes none */
export const accountsCatalog = (url: string, credentialEnv: string | null): CatalogDocument => ({
  providers: [
    {
      name: PROVIDER,
      protocol: 'openai',
      base_url: `${url}/v1`,
      ...(credentialEnv !== null && { credential_env: credentialEnv }),
    },
  ],
  models: [SMALL, LARGE].map((id) => ({
    ...{ id, display_name: id, context_window: 128_000, max_output_tokens: 4_096 },
  })),
  endpoints: [SMALL, LARGE].map((model) => ({
    ...{ model, provider: PROVIDER, upstream_model: upstreamModel(model), region: 'local' },
    ...{ data_retention: 'zero' as const, operations: ['chat_completions' as const] },
    prices: { input: 100, output: 400, cached_input: 10 },
  })),
});

export interface Pool {
  readonly tenant: Tenant;
  readonly key: string;
  /** Of its credentials, the oldest first. */
  readonly secrets: readonly string[];
  readonly credentialIds: readonly string[];
}

export interface PooledEdges extends Edges {
  readonly accounts: ProviderAccounts;
  /** A new organization with a credential of each weight. */
  newPool(...weights: readonly number[]): Promise<Pool>;
  /** A call by one edge. @param session one that no other call has, by default @returns as `Edges.send` */
  call(pool: Pool, edge: number, mark: string, more?: Call): Promise<string>;
  api(tenant: Tenant, method: string, path: string, body?: object): ReturnType<typeof askAs>;
}

export interface Call {
  readonly model?: string;
  readonly session?: string;
}

export async function startPooledEdges(): Promise<PooledEdges> {
  const accounts = await startProviderAccounts();
  const edges = await startEdges({ catalog: accountsCatalog(accounts.url, 'SVC_TEST_NO_SUCH_KEY') });
  const api = (tenant: Tenant, method: string, path: string, body?: object) =>
    askAs(tenant, edges.svc, method, path, body);
  let pools = 0;
  return {
    ...edges,
    accounts,
    api,
    newPool: async (...weights) => {
      const nth = String(++pools);
      const tenant = await edges.newTenant();
      const secrets = weights.map((_, at) => `sk-${nth}-${String(at + 1)}`);
      const credentialIds: string[] = [];
      for (const [at, secret] of secrets.entries()) {
        const fields = { provider: PROVIDER, label: secret, secret, weight: weights[at] };
        credentialIds.push(of(201, await api(tenant, 'POST', '/provider-credentials', fields)).id as string);
      }
      const { secret: key } = await newKey(edges.svc, tenant);
      return { tenant, key, secrets, credentialIds };
    },
    call: ({ key }, edge, mark, { model = SMALL, session } = {}) => {
      const body = { model, max_tokens: 20, messages: [markedAs(mark, edge)] };
      return edges.send(edge, key, { body, headers: session ? { 'svc-session-id': session } : {} });
    },
    stop: async () => {
      await edges.stop();
      await accounts.close();
    },
  };
}

export const EDGE_NUMBERS = Array.from({ length: EDGES }, (_, edge) => edge);

/** Every edge at the same time, each of its calls after the other, as long as `goesOn`. @returns the outcomes */
export async function byEachEdge(
  goesOn: (sent: number) => boolean,
  call: (edge: number, nth: number) => Promise<string>,
): Promise<readonly string[]> {
  const outcomes: string[] = [];
  let sent = 0;
  await Promise.all(
    EDGE_NUMBERS.map(async (edge) => {
      while (goesOn(sent)) outcomes.push(await call(edge, sent++));
    }),
  );
  return outcomes;
}
