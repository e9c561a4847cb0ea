import { answersJson, completion, message } from '../testing/answers';
import { CHAT, MODEL, PRICES } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const world = edgeWorld();
const OWN = 'sk-of-the-organization';

async function start(protocol: 'openai' | 'anthropic', own: boolean): Promise<void> {
  const provider = {
    name: 'acme',
    protocol,
    base_url: `${world.upstream.url}/v1`,
    credential_env: 'ACME_KEY',
  };
  const endpoint = { model: MODEL.id, provider: 'acme', upstream_model: 'small-1', region: 'eu' };
  await world.start({
    catalog: JSON.stringify({
      providers: [provider],
      models: [{ ...MODEL, display_name: 'Small' }],
      endpoints: [{ ...endpoint, data_retention: 'zero', prices: PRICES }],
    }),
    environment: { ACME_KEY: 'sk-of-the-platform' },
  });
  if (own) await world.storeCredential('acme', 'cred_1', OWN);
}

const chat = answersJson(completion({ prompt_tokens: 1, completion_tokens: 1 }));
const said = answersJson(message({ input_tokens: 1, output_tokens: 1 }));
const sent = () => JSON.parse(String(world.upstream.received.at(-1)?.body)) as Record<string, unknown>;
const file = { role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] };

describe('on the organization’s own credential', () => {
  it('a chat call takes what a provider bills beside tokens, and ids of the account', async () => {
    await start('openai', true);
    world.upstream.next(chat);
    const options = { service_tier: 'priority', web_search_options: {}, tools: [{ type: 'web_search' }] };
    const body = { ...CHAT, ...options, messages: [file] };
    const response = await world.edge.post('/v1/chat/completions', body);
    expect(await response.json()).not.toHaveProperty('warnings');
    expect(sent()).toMatchObject(options);
    expect(sent()['messages']).toEqual([file]);
  });

  it('a messages call does too', async () => {
    await start('anthropic', true);
    world.upstream.next(said);
    const hour = { type: 'ephemeral', ttl: '1h' };
    const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 50 }];
    const options = { tools, container: 'container_1', inference_geo: 'us', cache_control: hour };
    const response = await world.edge.post('/v1/messages', { ...CHAT, ...options, compat_mode: 'strict' });
    expect(response.status).toBe(200);
    expect(sent()).toMatchObject(options);
  });

  it('nothing is kept at a provider under zero retention', async () => {
    await start('openai', true);
    await world.writePolicy({ require_zero_retention: true });
    world.upstream.next(chat);
    const kept = { store: true, metadata: { team: 'search' }, prompt_cache_retention: '24h' };
    const response = await world.edge.post('/v1/chat/completions', { ...CHAT, ...kept });
    expect(await response.json()).toMatchObject({
      warnings: [{ param: 'store' }, { param: 'prompt_cache_retention' }],
    });
    for (const name of Object.keys(kept)) expect(sent()).not.toHaveProperty(name);
  });
});

describe('on the platform’s credential', () => {
  it.each([
    ['/v1/chat/completions', 'openai', { messages: [file] }, 'messages[0].content[0].file.file_id'],
    ['/v1/messages', 'anthropic', { container: 'container_1' }, 'container'],
    [
      '/v1/messages',
      'anthropic',
      { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'file_1' }] }] },
      'messages[0].content[0].file_id',
    ],
    [
      '/v1/messages/count_tokens',
      'anthropic',
      { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }] },
      'messages[0].content[0].source.file_id',
    ],
  ] as const)('%s refuses an id of the shared account (%s): %j', async (route, protocol, fields, param) => {
    await start(protocol, false);
    const { max_tokens: _limit, ...counted } = CHAT;
    const base = route.endsWith('count_tokens') ? counted : CHAT;
    const response = await world.edge.post(route, { ...base, ...fields });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: { code: 'capability_unsupported', param } });
    expect(world.upstream.received).toEqual([]);
  });
});
