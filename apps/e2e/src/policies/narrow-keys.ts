import { of } from '../distributed/tenant';
import { type CatalogDocument } from '../harness/catalog-file';
import { outcomeOf, post } from '../harness/clients';
import { sharedSvc, type SharedSvc } from '../harness/shared-svc';
import { callApi, type ApiAnswer } from '../oauth/oauth-app';

export const OPEN = 'test/open';
export const SHUT = 'test/shut';
export const EMBED = 'test/embed';
/** Means {@link SHUT}. */
export const DOOR = 'door';
export const ADVISOR_BETA = 'advisor-tool-2026-03-01';
export const LONG_BETA = 'context-1m-2025-08-07';

export interface Key {
  readonly id: string;
  readonly secret: string;
}

export interface Way {
  readonly path: string;
  readonly body: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

const messages = [{ role: 'user', content: 'Hello' }];
export const chat = (model: unknown, more: object = {}): Way => ({
  path: '/v1/chat/completions',
  body: { model, max_tokens: 20, messages, ...more },
});
export const message = (model: unknown, more: object = {}, path = '/v1/messages'): Way => ({
  path,
  body: { model, max_tokens: 20, messages, ...more },
});
export const count = (model: string, path = '/v1/messages/count_tokens'): Way => ({
  path,
  body: { model, messages },
});
export const response = (model: string): Way => ({
  path: '/v1/responses',
  body: { model, input: 'Hello', max_output_tokens: 20 },
});
export const embedding = (model: string): Way => ({
  path: '/v1/embeddings',
  body: { model, input: 'Hello' },
});

/** An organization whose keys have policies, and a provider that records what reaches it. */
export interface NarrowKeys {
  readonly svc: SharedSvc;
  /** Of the management API, by the owner's key or another. */
  api(method: string, path: string, body?: object, secret?: string): Promise<ApiAnswer>;
  /** @param by the secret of the key that makes it; the owner's by default. */
  newKey(fields: object, by?: string): Promise<Key>;
  /** @returns `200`, or the status, code and parameter of a refusal. */
  outcomeOf(key: Pick<Key, 'secret'>, way: Way): Promise<string>;
  /** The models that `GET /v1/models` lists. */
  listed(key: Pick<Key, 'secret'>, headers?: Readonly<Record<string, string>>): Promise<readonly string[]>;
}

/** @param name of the providers: no other spec file may use it. */
export async function startNarrowKeys(name: string): Promise<NarrowKeys> {
  return narrowKeysOf(await sharedSvc({ catalog: (url) => catalogAt(url, name) }));
}

/** Also of another organization of the same service. */
export function narrowKeysOf(svc: SharedSvc): NarrowKeys {
  const api: NarrowKeys['api'] = (method, path, body, secret = svc.apiKey) =>
    callApi(svc.baseUrl, method, `/api/v1${path}`, secret, body);
  return {
    svc,
    api,
    newKey: async (fields, by) => {
      const made = of(201, await api('POST', '/keys', { name: 'narrow', scopes: SCOPES, ...fields }, by));
      return { id: made.api_key.id as string, secret: made.key as string };
    },
    outcomeOf: async ({ secret }, { path, body, headers = {} }) =>
      outcomeOf(await post({ ...svc, apiKey: secret }, path, body, { headers })),
    listed: async ({ secret }, headers = {}) => {
      const authorization = `Bearer ${secret}`;
      const answer = await fetch(`${svc.baseUrl}/v1/models`, { headers: { authorization, ...headers } });
      return ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
    },
  };
}

/** All that a key could use to get wider. */
const SCOPES = [
  'inference:invoke',
  'catalog:read',
  'key:create',
  'key:read',
  'key:revoke',
  'policy:read',
  'policy:write',
  'project:read',
  'project:write',
  'fine_tuning:read',
  'fine_tuning:write',
];

interface Catalog extends CatalogDocument {
  readonly aliases: Readonly<Record<string, string>>;
  readonly fine_tuning: readonly object[];
}

/** Each model of text is near in the EU, far in the US, and at a provider of messages with priced betas. */
function catalogAt(url: string, name: string): Catalog {
  const [near, far, claude] = [`${name}-near`, `${name}-far`, `${name}-claude`];
  const at = (provider: string, protocol: 'openai' | 'anthropic') => ({
    name: provider,
    protocol,
    base_url: `${url}/v1`,
  });
  const eu = { region: 'eu', data_retention: 'zero' } as const;
  const prices = { input: 100, output: 400 };
  const betas = { [ADVISOR_BETA]: { prices }, [LONG_BETA]: { context_window: 1_000_000, prices } };
  const ofText = [OPEN, SHUT].flatMap((model) => {
    const upstream = model.replace('test/', '');
    return [
      {
        ...{ ...eu, model, provider: near, upstream_model: `${upstream}-near`, prices },
        operations: ['chat_completions', 'responses'] as const,
      },
      {
        ...{ model, provider: far, upstream_model: `${upstream}-far`, region: 'us' },
        ...{ data_retention: 'retained' as const, operations: ['chat_completions'] as const },
        prices: { input: 200, output: 800 },
      },
      {
        ...{ ...eu, model, provider: claude, upstream_model: `${upstream}-claude`, prices, betas },
        operations: ['messages'] as const,
      },
    ];
  });
  const embeds = {
    ...eu,
    model: EMBED,
    provider: near,
    upstream_model: 'embed-near',
    prices: { input: 20, output: 0 },
  };
  return {
    providers: [at(near, 'openai'), at(far, 'openai'), at(claude, 'anthropic')],
    models: [
      ...[OPEN, SHUT].map((id) => ({
        ...{ id, display_name: id, context_window: 200_000, max_output_tokens: 8192 },
      })),
      { id: EMBED, display_name: EMBED, context_window: 8192 },
    ],
    aliases: { [DOOR]: SHUT },
    endpoints: [...ofText, { ...embeds, operations: ['embeddings'] }],
    fine_tuning: [
      {
        ...{ ...eu, model: SHUT, provider: near, upstream_model: 'shut-near', inference: prices },
        ...{ price_per_trained_token: 100, max_trained_tokens: 1_000_000, epochs: { default: 1, max: 3 } },
        hardware: [{ id: 'sim-small', price_per_hour: 1_000_000_000, start_timeout_s: 600 }],
      },
    ],
  };
}
