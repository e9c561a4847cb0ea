import { Change, Create, Get, List, Remove, Resource, type Call } from '@svc/api';
import { ApiKeyStore, ProjectStore } from '@svc/persistence';
import { type Collection } from '../collection';
import { apiKey, apiKeyChange, apiKeyFilters, mintedApiKey, newApiKey, presentKey } from './key-schema';
import { ApiKeys } from './keys';

const ids = { key_id: 'apiKey' } as const;

@Resource({
  path: 'keys',
  one: 'ApiKey',
  many: 'ApiKeys',
  tag: 'API keys',
  description:
    'API keys authenticate calls of models and of this API. A key belongs to the organization or to one project.',
})
class KeysController {
  constructor(private readonly keys: ApiKeys) {}

  @List('', {
    summary: 'The API keys, newest first, revoked ones included.',
    permission: 'key:read',
    scope: 'keys:read',
    cursor: 'apiKey',
    query: apiKeyFilters,
    item: apiKey,
  })
  async list({ caller, page, query }: Call<{ query: typeof apiKeyFilters }>) {
    const { project_id: projectId, state } = query;
    const { items, hasMore } = await this.keys.list(caller, page, { projectId, state });
    return { items: items.map(presentKey), hasMore };
  }

  @Get(':key_id', {
    summary: 'One API key.',
    permission: 'key:read',
    scope: 'keys:read',
    ids,
    answer: apiKey,
  })
  async get({ caller, ids }: Call<{ ids: 'key_id' }>) {
    return presentKey(await this.keys.get(caller, ids.key_id));
  }

  @Create('', {
    summary: 'Creates an API key.',
    description: 'Only this answer shows the key. A scope that the caller lacks is refused with 403.',
    permission: 'key:create',
    scope: null,
    body: newApiKey,
    answer: mintedApiKey,
  })
  async create({ caller, body }: Call<{ body: typeof newApiKey }>) {
    const { secret, record } = await this.keys.create(caller, body);
    return {
      key: secret,
      api_key: presentKey(record),
      warning: 'Store this key now: it is not shown again.',
    };
  }

  @Change(':key_id', {
    summary: 'Renames an API key, or overrides its rate limits.',
    description: 'New limits apply from the next call on. A revoked key cannot be changed.',
    permission: 'key:create',
    scope: null,
    errors: ['conflict'],
    ids,
    body: apiKeyChange,
    answer: apiKey,
  })
  async change({ caller, ids, body }: Call<{ ids: 'key_id'; body: typeof apiKeyChange }>) {
    return presentKey(await this.keys.change(caller, ids.key_id, body));
  }

  @Remove(':key_id', {
    summary: 'Revokes an API key for good.',
    description: 'The next call with the key is refused. The record stays readable.',
    permission: 'key:revoke',
    scope: null,
    ids,
  })
  async revoke({ caller, ids }: Call<{ ids: 'key_id' }>) {
    await this.keys.revoke(caller, ids.key_id);
  }
}

export const apiKeys: Collection = {
  controllers: [KeysController],
  services: [ApiKeys],
  stores: [ApiKeyStore, ProjectStore],
};
