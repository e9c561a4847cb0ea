import { answersJson } from '../testing/answers';
import { CHAT, MODEL, PRICES } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const world = edgeWorld();

const bodies = {
  '/v1/chat/completions': CHAT,
  '/v1/messages': CHAT,
  '/v1/responses': { model: MODEL.id, input: 'Hi' },
};

const endingWith = (reason: string, error?: unknown) => ({
  id: 'c-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hel' }, finish_reason: reason, error }],
});

describe.each(Object.entries(bodies))('a plain answer of %s that the provider broke off', (route, body) => {
  beforeEach(() =>
    world.start({
      catalog: JSON.stringify({
        providers: [{ name: 'acme', protocol: 'openai', base_url: `${world.upstream.url}/v1` }],
        models: [{ ...MODEL, display_name: 'Small' }],
        endpoints: [
          {
            ...{ model: MODEL.id, provider: 'acme', upstream_model: 'small-1', region: 'eu' },
            ...{ data_retention: 'zero', prices: PRICES },
          },
        ],
      }),
    }),
  );

  async function answerTo(answer: object) {
    world.upstream.next(answersJson(answer));
    const response = await world.edge.post(route, body);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    return { status: response.status, code: error.code, message: error.message };
  }

  it('says why, without control characters and the provider’s address', async () => {
    const host = new URL(world.upstream.url).host;
    const told = await answerTo(endingWith('error', { message: `Out of \u001bmemory at ${host}` }));
    expect(told).toMatchObject({ status: 502, code: 'provider_error' });
    expect(told.message).toMatch(/^Out of {2}memory at /);
    expect(told.message).not.toContain(host);
  });

  it('is a failure of the provider where nothing is said', async () => {
    const told = await answerTo(endingWith('insufficient_system_resource'));
    expect(told).toMatchObject({ status: 502, code: 'provider_error' });
    expect(told.message).toMatch(/broke its answer off/);
  });

  it('is the caller’s fault where the provider says so', async () => {
    const told = await answerTo(endingWith('error', { message: 'Too long', code: 413 }));
    expect(told).toEqual({ status: 400, code: 'provider_http_413', message: 'Too long' });
  });
});
