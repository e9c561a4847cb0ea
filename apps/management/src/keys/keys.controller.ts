import { Change, Create, Get, List, Remove, Resource, type Call } from '@svc/api';
import { ApiKeyStore, MemberStore, ProjectStore } from '@svc/access/store';
import { LowerPolicyStore } from '@svc/policy/store';
import { type Collection } from '../collection';
import {
  KEYS_MAX,
  apiKey,
  apiKeyChange,
  apiKeyFilters,
  mintedApiKey,
  newApiKey,
  presentKey,
} from './key-schema';
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
    description:
      'A page can hold fewer items than its limit, or none, while `has_more` is true: continue at `next_cursor`.',
    permission: 'key:read',
    scope: 'keys:read',
    cursor: 'apiKey',
    query: apiKeyFilters,
    item: apiKey,
  })
  async list({ caller, page, query }: Call<{ query: typeof apiKeyFilters }>) {
    const { ids, q: text, project_id: projectId, state, created_by: createdBy } = query;
    const purpose = query.purpose ?? (ids === undefined ? 'general' : undefined);
    const filter = { ids, text, projectId, state, createdBy, purpose };
    const { items, ...rest } = await this.keys.list(caller, page, filter);
    return { ...rest, items: items.map(presentKey) };
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
    description:
      'Only this answer shows the key. A scope that the caller lacks is refused with 403. `policy` narrows what the key may do. An organization has at most ' +
      `${String(KEYS_MAX)} keys that are neither revoked nor expired.`,
    permission: 'key:create',
    scope: null,
    approval: 'api_key.create',
    secretField: 'key',
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
    summary: 'Renames an API key, overrides its rate limits, or moves its end.',
    description:
      'New limits apply from the next call on. A revoked key cannot be changed. Who moves the end to a later time must have ' +
      'each permission of the key.',
    permission: 'key:create',
    scope: null,
    approval: 'api_key.update',
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
  stores: [ApiKeyStore, MemberStore, ProjectStore, LowerPolicyStore],
};
