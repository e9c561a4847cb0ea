import { type PolicyDocument } from '@svc/policy';
import { readSse, type ScriptedAnswer } from '@svc/testing';
import { answersJson, completes, message } from '../testing/answers';
import { CHAT, MODEL, PRICES, type EdgeOptions } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const world = edgeWorld();

/** `eu` keeps nothing and takes no credential; `us` retains, is dearer and takes one; `claude` speaks the other protocol. */
const catalog = (): string => {
  const provider = { protocol: 'openai', base_url: `${world.upstream.url}/openai` };
  const endpoint = {
    model: 'acme/small',
    upstream_model: 'small-1',
    region: 'eu',
    data_retention: 'zero',
    parameters: ['temperature', 'seed'],
    prices: PRICES,
  };
  return JSON.stringify({
    providers: [
      { ...provider, name: 'eu' },
      { ...provider, name: 'us', base_url: `${world.upstream.url}/us`, credential_env: 'US_API_KEY' },
      { ...provider, name: 'claude', protocol: 'anthropic', base_url: `${world.upstream.url}/claude` },
    ],
    models: ['acme/small', 'acme/talk'].map((id) => ({ ...MODEL, id, display_name: id })),
    endpoints: [
      { ...endpoint, provider: 'eu' },
      {
        ...endpoint,
        provider: 'us',
        region: 'us',
        data_retention: 'retained',
        parameters: ['temperature', 'seed', 'top_p'],
        prices: { input: 90, output: 900 },
      },
      { ...endpoint, model: 'acme/talk', provider: 'claude', parameters: ['temperature', 'stop_sequences'] },
    ],
  });
};
const start = async (policy?: Partial<PolicyDocument>, options: Partial<EdgeOptions> = {}): Promise<void> => {
  const environment = { US_API_KEY: 'sk-of-the-platform' };
  await world.start({ catalog: catalog(), environment, ...options });
  if (policy !== undefined) await world.writePolicy(policy);
};
const storeOwnCredential = (provider = 'us', id = 'cred_1', secret = 'sk-of-our-own'): Promise<void> =>
  world.storeCredential(provider, id, secret);

const TALK = { ...CHAT, model: 'acme/talk' };
const chat = (more: object = {}) => world.edge.post('/v1/chat/completions', { ...CHAT, ...more });
const talk = (more: object = {}) => world.edge.post('/v1/messages', { ...TALK, ...more });
interface Body {
  readonly svc?: { readonly provider: string; readonly attempts: readonly { readonly provider: string }[] };
  readonly warnings?: readonly { readonly param: string }[];
  readonly error?: { readonly code: string; readonly param: string; readonly message: string };
}
const bodyOf = async (response: Response): Promise<Body & { status: number }> => ({
  status: response.status,
  ...((await response.json()) as Body),
});
const warned = ({ warnings }: Body): string[] | undefined => warnings?.map(({ param }) => param);
const sentBodies = () =>
  world.upstream.received.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);
const sentTo = () => world.upstream.received.map(({ path }) => path.split('/')[1]);

const replies = answersJson(message({ input_tokens: 1, output_tokens: 1 }));
const refuses = (status: number) => answersJson({ error: { message: 'no' } }, status);

describe('a policy', () => {
  it.each<[string, Partial<PolicyDocument>, object]>([
    [
      'denies a model',
      { denied_models: ['acme/small'] },
      { status: 404, error: { code: 'not_found', param: 'model' } },
    ],
    ['allows no model', { allowed_models: [] }, { status: 404, error: { code: 'not_found' } }],
    [
      'denies every provider',
      { denied_providers: ['eu', 'us'] },
      { status: 422, error: { code: 'no_eligible_route' } },
    ],
    ['allows no provider', { allowed_providers: [] }, { status: 422, error: { code: 'no_eligible_route' } }],
    [
      'denies every region',
      { denied_regions: ['eu', 'us'] },
      { status: 422, error: { code: 'no_eligible_route' } },
    ],
    [
      'allows another region',
      { allowed_regions: ['asia'] },
      { status: 422, error: { code: 'no_eligible_route' } },
    ],
    [
      'rules out each endpoint by another rule, the last by zero retention',
      { allowed_regions: ['us'], require_zero_retention: true },
      {
        status: 422,
        error: {
          code: 'no_eligible_route',
          message: expect.stringContaining('require_zero_retention') as string,
        },
      },
    ],
  ])('that %s refuses, before a provider, a record or a hold', async (_, policy, refusal) => {
    await start(policy);
    expect(await bodyOf(await chat())).toMatchObject(refusal);
    expect(world.upstream.received).toEqual([]);
    expect(await world.database.prisma.requestRecord.count()).toBe(0);
    expect(await world.database.prisma.wallet.findFirstOrThrow()).toMatchObject({ heldNanos: 0n });
  });

  it('of zero retention keeps a call where nothing is kept, even when that fails', async () => {
    await start({ require_zero_retention: true });
    world.upstream.next(refuses(500));
    expect((await chat()).status).toBe(502);
    expect(sentTo()).toEqual(['openai']);
  });

  it.each<[string, Partial<PolicyDocument>, string[]]>([
    ['denies a provider', { denied_providers: ['eu'] }, ['us']],
    ['allows a region', { allowed_regions: ['us'] }, ['us']],
    ['cuts the attempts', { max_attempts: 1 }, ['openai']],
  ])('that %s decides who is called', async (_, policy, called) => {
    await start(policy);
    called.forEach(() => {
      world.upstream.next(refuses(500));
    });
    expect((await chat()).status).toBe(502);
    expect(sentTo()).toEqual(called);
  });

  it('by latency prefers the endpoint that was measured faster', async () => {
    await start({ sort: 'latency' });
    const slowly: ScriptedAnswer = async (incoming, response) => {
      // Longer than a busy machine takes for a whole call.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await completes()(incoming, response);
    };
    world.upstream.next(slowly);
    world.upstream.next(completes());
    world.upstream.next(completes());
    const served = [await bodyOf(await chat()), await bodyOf(await chat()), await bodyOf(await chat())];
    expect(served.map(({ svc }) => svc?.provider)).toEqual(['eu', 'us', 'us']);
  });

  it('lists only the models that it allows', async () => {
    await start({ denied_models: ['acme/talk'] });
    const headers = { 'x-api-key': world.edge.apiKey };
    const listing = (await (await fetch(`${world.edge.url}/v1/models`, { headers })).json()) as {
      data: { id: string }[];
    };
    expect(listing.data.map(({ id }) => id)).toEqual(['acme/small']);
    expect((await fetch(`${world.edge.url}/v1/models/acme%2Fsmall`, { headers })).status).toBe(200);
    expect((await fetch(`${world.edge.url}/v1/models/acme/talk`, { headers })).status).toBe(404);
  });

  it('that cannot be read refuses every call', async () => {
    await start({ denied_planets: ['mars'] } as Partial<PolicyDocument>);
    expect(await bodyOf(await chat())).toMatchObject({ status: 500, error: { code: 'internal' } });
  });
});

describe('a permissive call', () => {
  it('goes first to the endpoint that takes all its parameters', async () => {
    await start();
    world.upstream.next(completes());
    const body = await bodyOf(await chat({ top_p: 0.5 }));
    expect(body).toMatchObject({ status: 200, svc: { provider: 'us' } });
    expect(body).not.toHaveProperty('warnings');
    expect(sentBodies()).toMatchObject([{ top_p: 0.5 }]);
  });

  it('warns only of the parameters that the answering endpoint was not sent', async () => {
    await start();
    world.upstream.next(refuses(503));
    world.upstream.next(completes());
    const body = await bodyOf(await chat({ top_p: 0.5, seed: 1 }));
    expect(body).toMatchObject({ svc: { provider: 'eu' } });
    expect(warned(body)).toEqual(['top_p']);
    expect(sentBodies()[1]).not.toHaveProperty('top_p');
    expect(sentBodies()[1]).toMatchObject({ seed: 1 });
  });

  it('has parameters that no endpoint supports omitted and listed, on either route', async () => {
    await start();
    world.upstream.next(completes());
    world.upstream.next(replies);
    expect(warned(await bodyOf(await chat({ logprobs: true, user: 'u' })))).toEqual(['logprobs', 'user']);
    expect(warned(await bodyOf(await talk({ top_k: 4, stop_sequences: ['x'] })))).toEqual(['top_k']);
    const [chatBody, talkBody] = sentBodies();
    for (const name of ['logprobs', 'user']) expect(chatBody).not.toHaveProperty(name);
    expect(talkBody).not.toHaveProperty('top_k');
    expect(talkBody).toMatchObject({ stop_sequences: ['x'] });
  });

  it('has its warnings beside svc in a stream, on either route', async () => {
    await start();
    world.upstream.next((_, response) => {
      const frame = (chunk: object) => `data: ${JSON.stringify({ model: 'small-1', ...chunk })}\n\n`;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(frame({ choices: [{ index: 0, delta: { content: 'Hi' } }] }));
      response.write(frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
      response.end(
        `${frame({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })}data: [DONE]\n\n`,
      );
    });
    world.upstream.next((_, response) => {
      const frame = (event: { type: string; [field: string]: unknown }) =>
        `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
      const message = {
        type: 'message',
        role: 'assistant',
        model: 'small-1',
        content: [],
        usage: { input_tokens: 1, output_tokens: 1 },
      };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(frame({ type: 'message_start', message }));
      response.write(
        frame({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }),
      );
      response.end(frame({ type: 'message_stop' }));
    });
    for (const response of [
      await chat({ stream: true, logprobs: true }),
      await talk({ stream: true, top_k: 4 }),
    ]) {
      const carriers = (await readSse(response))
        .map(({ json }) => json as Body | undefined)
        .filter((body) => body?.svc);
      expect(carriers).toHaveLength(1);
      expect(warned(carriers[0]!)).toHaveLength(1);
    }
  });
});

describe('a strict call', () => {
  it.each([
    ['plain', {}],
    ['streamed', { stream: true }],
  ])('(%s) names the parameter that nobody supports before any provider hears of it', async (_, form) => {
    await start();
    const strict = { ...form, compat_mode: 'strict' };
    const refusal = (param: string) => ({ status: 422, error: { code: 'capability_unsupported', param } });
    expect(await bodyOf(await chat({ ...strict, logprobs: true }))).toMatchObject(refusal('logprobs'));
    expect(await bodyOf(await talk({ ...strict, top_k: 4 }))).toMatchObject(refusal('top_k'));
    expect(await world.database.prisma.requestRecord.count()).toBe(0);
  });

  it('uses only endpoints that take all its parameters, also when they fail', async () => {
    await start();
    world.upstream.next(refuses(500));
    expect((await chat({ compat_mode: 'strict', top_p: 0.5 })).status).toBe(502);
    expect(sentTo()).toEqual(['us']);
  });

  it('is sent whole when everything is supported', async () => {
    await start();
    world.upstream.next(completes());
    expect(await bodyOf(await chat({ compat_mode: 'strict', seed: 1 }))).not.toHaveProperty('warnings');
    expect(sentBodies()).toMatchObject([{ seed: 1 }]);
  });
});

describe('the credential of a call', () => {
  const authorizations = () => world.upstream.received.map(({ headers }) => headers.authorization);
  const events = () =>
    world.database.prisma.outboxEvent.findMany({ where: { type: 'credential.auth_failed' } });

  it.each<[string, string[]]>([
    ['own_first', ['Bearer sk-of-our-own', 'Bearer sk-of-the-platform']],
    ['own_only', ['Bearer sk-of-our-own']],
    ['platform_only', ['Bearer sk-of-the-platform']],
  ])('under %s is tried in that order', async (mode, tried) => {
    await start({ credential_mode: mode as PolicyDocument['credential_mode'], allowed_providers: ['us'] });
    await storeOwnCredential();
    tried.forEach(() => {
      world.upstream.next(refuses(401));
    });
    expect(await bodyOf(await chat())).toMatchObject({ status: 502, error: { code: 'provider_error' } });
    expect(authorizations()).toEqual(tried);
    expect(await events()).toHaveLength(mode === 'platform_only' ? 0 : 1);
  });

  it('makes a provider available for which the platform has none', async () => {
    await start({ allowed_providers: ['us'] }, { environment: {} });
    await storeOwnCredential();
    world.upstream.next(completes());
    expect((await chat()).status).toBe(200);
    expect(authorizations()).toEqual(['Bearer sk-of-our-own']);
  });

  it('that the mode requires but nobody stored makes no route eligible', async () => {
    await start({ credential_mode: 'own_only', allowed_providers: ['us'] });
    const { error } = await bodyOf(await chat());
    expect(error).toMatchObject({
      code: 'no_eligible_route',
      message: expect.stringContaining('credential_mode') as string,
    });
  });

  it('that is refused is one event, with ids and no secret, and is left out for a while', async () => {
    await start({ allowed_providers: ['us'] });
    await storeOwnCredential();
    world.upstream.next(refuses(403));
    for (const attempts of [[{ status: 403 }, { status: 200 }], [{ status: 200 }], [{ status: 200 }]]) {
      world.upstream.next(completes());
      const { status, svc } = await bodyOf(await chat());
      expect([status, svc?.attempts]).toMatchObject([200, attempts]);
    }
    const [event, ...more] = await events();
    expect(more).toEqual([]);
    expect(JSON.parse(event!.payload)).toMatchObject({
      organization_id: world.edge.organizationId,
      data: { credential_id: 'cred_1', provider: 'us', status: 403 },
    });
    expect(event!.payload).not.toContain('sk-of-our-own');
  });

  it('is redacted from a provider’s message, in a body and inside a stream', async () => {
    await start({ allowed_providers: ['us'] });
    await storeOwnCredential();
    const message = `sk-of-our-own may not use ${world.upstream.url}`;
    world.upstream.next(answersJson({ error: { message } }, 400));
    world.upstream.next((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hi' } }] })}\n\n`);
      response.end(`data: ${JSON.stringify({ error: { message } })}\n\n`);
    });
    const texts = [await (await chat()).text(), await (await chat({ stream: true })).text()];
    for (const text of texts) {
      expect(text).toContain('[redacted] may not use');
      expect(text).not.toContain('sk-of-our-own');
      expect(text).not.toContain('127.0.0.1');
    }
  });
});
