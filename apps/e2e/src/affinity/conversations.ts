import { inParallel } from '@svc/testing';
import { type CatalogDocument, testPrices } from '../harness/catalog-file';
import { directed, post } from '../harness/clients';
import { sentAgain } from '../harness/sent-again';
import { type AnySvc } from '../harness/svc';
import { newKey, newTenant, of } from '../distributed/tenant';
import { callApi } from '../oauth/oauth-app';

const MODEL = 'test/cached';
const PROVIDER = 'pooled';
const CREDIT = 10n ** 15n;
const IN_FLIGHT = 20;
const SYSTEM_LENGTH = 2_000;
const TURN_LENGTH = 100;

/** One model at a provider that takes a credential, and reads its prompt cache for less. */
export const cachingCatalog = (url: string): CatalogDocument => ({
  providers: [
    { name: PROVIDER, protocol: 'openai', base_url: `${url}/v1`, credential_env: 'SVC_TEST_NO_SUCH_KEY' },
  ],
  models: [{ id: MODEL, display_name: 'Cached', context_window: 200_000, max_output_tokens: 8192 }],
  endpoints: [
    {
      model: MODEL,
      provider: PROVIDER,
      upstream_model: 'cached-1',
      region: 'local',
      data_retention: 'zero',
      operations: ['chat_completions'],
      prices: testPrices,
    },
  ],
});

/** How the turns of a conversation say that they are one. */
export const namings = {
  'a session header': (id: string) => ({ headers: { 'svc-session-id': id }, body: {} }),
  prompt_cache_key: (id: string) => ({ headers: {}, body: { prompt_cache_key: id } }),
  neither: () => ({ headers: {}, body: {} }),
} as const;
export type Naming = keyof typeof namings;

export interface Pool {
  readonly apiKey: string;
  readonly credentialIds: readonly string[];
  /** The key that the organization asks with. */
  readonly ownerKey: string;
}

let organizations = 0;

/** A new organization with so many credentials of a provider, which are the simulator's accounts. */
export async function newPool(
  svc: AnySvc,
  credentials: number,
  policy: object = {},
  provider = PROVIDER,
): Promise<Pool> {
  const tenant = await newTenant(svc, CREDIT);
  const nth = ++organizations;
  const api = (method: string, path: string, body: object) =>
    callApi(svc.baseUrl, method, `/api/v1${path}`, tenant.apiKey, body);
  of(200, await api('PUT', '/policy', policy));
  const credentialIds: string[] = [];
  for (let at = 1; at <= credentials; at++) {
    const secret = `sk-pool-${String(nth)}-${String(at)}`;
    const made = of(201, await api('POST', '/provider-credentials', { provider, label: secret, secret }));
    credentialIds.push(made.id as string);
  }
  const { secret: apiKey } = await newKey(svc, tenant);
  return { apiKey, credentialIds, ownerKey: tenant.apiKey };
}

interface Talk {
  readonly sessions: number;
  readonly turns: number;
  readonly naming: Naming;
}

/** In prompt tokens, of all turns together. */
export interface CacheUse {
  readonly written: number;
  readonly cached: number;
}

interface ChatAnswer {
  readonly usage: {
    readonly prompt_tokens: number;
    readonly prompt_tokens_details?: { readonly cached_tokens?: number };
  };
}

/** Has so many conversations at once, the turns of each one after the other, at these addresses in turn. */
export async function converse(
  baseUrls: readonly string[],
  { apiKey }: Pool,
  { sessions, turns, naming }: Talk,
): Promise<CacheUse> {
  const uses = await inParallel(Array.from({ length: sessions }), IN_FLIGHT, async (_, session) => {
    const id = `${naming} ${String(session)}`.replaceAll(' ', '-');
    const messages: object[] = [{ role: 'system', content: id.padEnd(SYSTEM_LENGTH, ' You are helpful.') }];
    const use = { written: 0, cached: 0 };
    for (let turn = 0; turn < turns; turn++) {
      const asked = `${id} asks ${String(turn)}. `.padEnd(TURN_LENGTH, 'Why? ');
      messages.push(directed({ prompt_cache: true, reply: 'Because.' }, asked));
      const { headers, body } = namings[naming](id);
      const at = { baseUrl: baseUrls[(session + turn) % baseUrls.length] ?? '', apiKey };
      const { usage } = await answered(() =>
        post(at, '/v1/chat/completions', { model: MODEL, messages, ...body }, { headers }),
      );
      const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
      use.cached += cached;
      use.written += usage.prompt_tokens - cached;
      messages.push({ role: 'assistant', content: 'Because.' });
    }
    return use;
  });
  return uses.reduce((sum, use) => ({
    written: sum.written + use.written,
    cached: sum.cached + use.cached,
  }));
}

async function answered(send: () => Promise<Response>): Promise<ChatAnswer> {
  const answer = await sentAgain(send, ({ status }) => status === 503);
  if (answer.status === 200) return (await answer.json()) as ChatAnswer;
  throw new Error(`${String(answer.status)}: ${await answer.text()}`);
}

export const cachedShare = ({ written, cached }: CacheUse): number => cached / (written + cached);
