import { eventually } from '@svc/testing';
import { answersJson, completion } from '../testing/answers';
import { CHAT, MODEL, PRICES } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const world = edgeWorld();

/** `near` is cheap, `far` ten times dearer. Both speak OpenAI's protocol. */
const catalog = (): string => {
  const provider = { protocol: 'openai', base_url: `${world.upstream.url}/near` };
  const small = {
    model: MODEL.id,
    upstream_model: 'small-1',
    region: 'eu',
    data_retention: 'zero',
    prices: PRICES,
  };
  return JSON.stringify({
    providers: [
      { ...provider, name: 'near' },
      { ...provider, name: 'far', base_url: `${world.upstream.url}/far` },
    ],
    models: [
      { ...MODEL, display_name: 'Small' },
      { ...MODEL, id: 'acme/large', display_name: 'Large' },
    ],
    aliases: { tiny: MODEL.id },
    endpoints: [
      { ...small, provider: 'near' },
      {
        ...small,
        provider: 'far',
        region: 'us',
        data_retention: 'retained',
        prices: { input: 100, output: 1_000 },
      },
      { ...small, model: 'acme/large', provider: 'near' },
    ],
  });
};

const PROJECT = 'proj_spec';
const KEY = 'key_spec';
let secret: string;

interface Level {
  readonly organization?: object;
  readonly project?: object;
  readonly key?: object;
}
/** A key of one project, under these policies. */
const start = async ({ organization, project, key }: Level): Promise<void> => {
  await world.start({ catalog: catalog() });
  const { organizationId } = world.edge;
  await world.database.prisma.project.create({ data: { id: PROJECT, organizationId, name: 'Spec' } });
  secret = await world.addKey(KEY, PROJECT);
  if (organization !== undefined) await world.writePolicy(organization);
  if (project !== undefined) await world.writeLowerPolicy('project', PROJECT, project);
  if (key !== undefined) await world.writeLowerPolicy('key', KEY, key);
};

const withKey = (own: string, headers: Record<string, string> = {}) => ({
  'content-type': 'application/json',
  authorization: `Bearer ${own}`,
  ...headers,
});
const send = (path: string, body: object, headers: Record<string, string> = {}, own = secret) =>
  fetch(`${world.edge.url}${path}`, {
    method: 'POST',
    headers: withKey(own, headers),
    body: JSON.stringify(body),
  });
const chat = (more: object = {}, headers: Record<string, string> = {}, own = secret) =>
  send('/v1/chat/completions', { ...CHAT, ...more }, headers, own);
const list = async (headers: Record<string, string> = {}, own = secret) => {
  const response = await fetch(`${world.edge.url}/v1/models`, { headers: withKey(own, headers) });
  return ((await response.json()) as { data: { id: string; max_output_tokens: number }[] }).data;
};
interface Body {
  readonly error?: { readonly code: string; readonly param?: string; readonly message: string };
  readonly warnings?: readonly object[];
  readonly svc?: { readonly cost: { readonly customer_nanos: number } };
}
const bodyOf = async (response: Response): Promise<Body & { status: number }> => ({
  status: response.status,
  ...((await response.json()) as Body),
});
const replies = answersJson(completion({ prompt_tokens: 3, completion_tokens: 2 }));
const fails = answersJson({ error: { message: 'no' } }, 500);
const sentTo = () => world.upstream.received.map(({ path }) => path.split('/')[1]);
const sent = () =>
  world.upstream.received.map(({ body }) => JSON.parse(body.toString()) as Record<string, unknown>);

describe('a policy below the organization', () => {
  it.each<[string, Level, string, string]>([
    [
      'the project',
      { project: { denied_operations: ['chat_completions'] } },
      'no_eligible_route',
      'denied_operations',
    ],
    ['the API key', { key: { allowed_operations: ['messages'] } }, 'no_eligible_route', 'allowed_operations'],
    ['the project', { project: { allowed_providers: [] } }, 'no_eligible_route', 'allowed_providers'],
    ['the API key', { key: { denied_providers: ['near', 'far'] } }, 'no_eligible_route', 'denied_providers'],
    ['the API key', { key: { allowed_regions: ['asia'] } }, 'no_eligible_route', 'allowed_regions'],
    [
      'the project',
      { key: { allowed_regions: ['us'] }, project: { require_zero_retention: true } },
      'no_eligible_route',
      'require_zero_retention',
    ],
  ])('of %s refuses by %j, before a provider, a record or a hold', async (level, policies, code, field) => {
    await start(policies);
    const { status, error } = await bodyOf(await chat());
    expect([status, error?.code]).toEqual([422, code]);
    expect(error?.message).toContain(`\`${field}\` of the policy of ${level}`);
    expect(world.upstream.received).toEqual([]);
    expect(await world.database.prisma.requestRecord.count()).toBe(0);
  });

  it.each<[string, Level]>([
    ['a denied model', { key: { denied_models: [MODEL.id] } }],
    ['an empty list of models', { project: { allowed_models: [] } }],
    [
      'lists with nothing in common',
      { project: { allowed_models: [MODEL.id] }, key: { allowed_models: ['acme/large'] } },
    ],
  ])('hides a model on every path to it, for %s', async (_, policies) => {
    await start(policies);
    const messages = { ...CHAT, max_tokens: 5 };
    const answers = await Promise.all([
      chat(),
      chat({ model: 'tiny' }),
      send('/v1/messages', messages),
      send('/v1/v1/messages', messages),
      send('/v1/messages/count_tokens', { model: MODEL.id, messages: CHAT.messages }),
      send('/v1/responses', { model: MODEL.id, input: 'Hi' }),
      send('/v1/embeddings', { model: MODEL.id, input: 'Hi' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    for (const name of [MODEL.id, 'tiny']) {
      const one = await fetch(`${world.edge.url}/v1/models/${name}`, { headers: withKey(secret) });
      expect(one.status).toBe(404);
    }
    expect((await list()).map(({ id }) => id)).not.toEqual(expect.arrayContaining([MODEL.id]));
    expect(world.upstream.received).toEqual([]);
  });

  it('counts count_tokens as an operation of messages', async () => {
    await start({ key: { denied_operations: ['messages'] } });
    const { status, error } = await bodyOf(
      await send('/v1/messages/count_tokens', { model: MODEL.id, messages: CHAT.messages }),
    );
    expect([status, error?.code]).toEqual([422, 'no_eligible_route']);
  });

  it('judges every attempt of a call', async () => {
    await start({ key: { denied_providers: ['far'] } });
    world.upstream.next(fails);
    expect((await chat()).status).toBe(502);
    expect(sentTo()).toEqual(['near']);
  });

  it('never allows what a level above denies', async () => {
    await start({
      organization: { denied_providers: ['near'] },
      key: { allowed_providers: ['near', 'far'] },
    });
    world.upstream.next(replies);
    expect((await chat()).status).toBe(200);
    expect(sentTo()).toEqual(['far']);
  });

  it('holds for the project that a call names, and not for other calls', async () => {
    await start({ project: { denied_models: [MODEL.id] } });
    const wide = await world.addKey('key_wide');
    expect((await chat({}, { 'x-svc-project': PROJECT }, wide)).status).toBe(404);
    expect((await list({ 'x-svc-project': PROJECT }, wide)).map(({ id }) => id)).toEqual(['acme/large']);
    expect((await list({}, wide)).map(({ id }) => id)).toEqual([MODEL.id, 'tiny', 'acme/large']);
    world.upstream.next(replies);
    expect((await chat({}, {}, wide)).status).toBe(200);
  });

  it('lists no model of which it allows no operation', async () => {
    await start({ key: { allowed_operations: ['embeddings'] } });
    expect(await list()).toEqual([]);
  });

  it('that cannot be read refuses every call, and nothing is sent', async () => {
    await start({ key: { denied_planets: ['mars'] } });
    expect(await bodyOf(await chat())).toMatchObject({ status: 500, error: { code: 'internal' } });
    const other = await world.addKey('key_other', PROJECT);
    world.upstream.next(replies);
    expect((await chat({}, {}, other)).status).toBe(200);
  });

  it('reaches calls once it is written', async () => {
    await start({});
    world.upstream.next(replies);
    expect((await chat()).status).toBe(200);
    await world.writeLowerPolicy('key', KEY, { denied_models: ['acme/large'] });
    // Not by calls: one that is sent too early reaches the provider.
    await eventually(async () => {
      expect((await list()).map(({ id }) => id)).not.toContain('acme/large');
    });
    expect((await chat({ model: 'acme/large' })).status).toBe(404);
    await world.writeLowerPolicy('key', KEY, { allowed_models: [] }, 2);
    await eventually(async () => {
      expect(await list()).toEqual([]);
    });
  });

  it('is in the record of a call by its version', async () => {
    await start({ organization: {}, project: { retention: 'none' } });
    await world.writeLowerPolicy('key', KEY, { max_output_tokens: 60 }, 7);
    world.upstream.next(replies);
    await chat({ metadata: { team: 'red' } });
    expect(await world.database.prisma.requestRecord.findFirstOrThrow()).toMatchObject({
      policyVersion: 1,
      projectPolicyVersion: 1,
      keyPolicyVersion: 7,
      labels: null,
    });
  });
});

describe('max_output_tokens', () => {
  it('is the model’s maximum for the list, the hold and the provider', async () => {
    await start({ project: { max_output_tokens: 20 }, key: { max_output_tokens: 30 } });
    expect((await list()).map((model) => model.max_output_tokens)).toEqual([20, 20, 20]);
    const { max_tokens: _none, ...unlimited } = CHAT;
    world.upstream.next(replies);
    await send('/v1/chat/completions', unlimited);
    expect(sent()[0]).toMatchObject({ max_completion_tokens: 20 });
    const { heldNanos } = await world.database.prisma.requestRecord.findFirstOrThrow();
    expect(heldNanos).toBeLessThanOrEqual(BigInt(1_000 * 20 + 100 * JSON.stringify(unlimited).length));
  });

  it('is told to who asks for more, and refuses a strict call that does', async () => {
    await start({ key: { max_output_tokens: 20 } });
    world.upstream.next(replies);
    const { status, warnings } = await bodyOf(await chat());
    expect([status, warnings]).toMatchObject([200, [{ param: 'max_tokens', code: 'limited_by_policy' }]]);
    expect(sent()[0]).toMatchObject({ max_tokens: 20 });
    const strict = await bodyOf(await chat({ compat_mode: 'strict' }));
    expect([strict.status, strict.error?.code, strict.error?.param]).toEqual([
      422,
      'capability_unsupported',
      'max_tokens',
    ]);
  });

  it('changes nothing of a call that asks for less', async () => {
    await start({ key: { max_output_tokens: 60 } });
    world.upstream.next(replies);
    expect((await bodyOf(await chat())).warnings ?? []).toEqual([]);
    expect(sent()[0]).toMatchObject({ max_tokens: 50 });
  });
});

describe('max_cost_nanos', () => {
  it('leaves out the attempts that may cost more', async () => {
    // At most 50 tokens of output: 5,000 nanos near, 50,000 far, and the prompt beside.
    await start({ key: { max_cost_nanos: 9_000 } });
    world.upstream.next(fails);
    expect((await chat()).status).toBe(502);
    expect(sentTo()).toEqual(['near']);
  });

  it('refuses a call that may cost more everywhere, naming level and field', async () => {
    await start({ project: { max_cost_nanos: 1_000 } });
    const { status, error } = await bodyOf(await chat());
    expect([status, error?.code, error?.param]).toEqual([402, 'budget_exceeded', 'budget']);
    expect(error?.message).toContain('`max_cost_nanos` of the policy of the project');
    expect(world.upstream.received).toEqual([]);
  });

  it('is the most that a call without a limit holds and costs', async () => {
    await start({ key: { max_cost_nanos: 600_000 } });
    const { max_tokens: _none, ...unlimited } = CHAT;
    world.upstream.next(answersJson(completion({ prompt_tokens: 3, completion_tokens: 8_000 })));
    const answer = await bodyOf(await send('/v1/chat/completions', unlimited));
    expect(answer.svc?.cost.customer_nanos).toBeLessThanOrEqual(600_000);
    const { heldNanos } = await world.database.prisma.requestRecord.findFirstOrThrow();
    expect(heldNanos).toBeLessThanOrEqual(600_000n);
    expect(Number(sent()[0]?.['max_completion_tokens'])).toBeLessThan(8_192);
  });
});

describe('an answer that is kept for an idempotency key', () => {
  const KEYED = { 'idempotency-key': 'once' };

  it('is replayed to another key only where its policy allows model and operation', async () => {
    await start({});
    const narrow = await world.addKey('key_narrow', PROJECT);
    const same = await world.addKey('key_same', PROJECT);
    await world.writeLowerPolicy('key', 'key_narrow', { denied_models: [MODEL.id] });
    world.upstream.next(replies);
    expect((await chat({}, KEYED)).status).toBe(200);
    const replayed = await chat({}, KEYED, same);
    expect([replayed.status, replayed.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect((await chat({}, KEYED, narrow)).status).toBe(404);
  });

  it('is replayed to its own key whatever the policy allows by now', async () => {
    await start({});
    world.upstream.next(replies);
    expect((await chat({}, KEYED)).status).toBe(200);
    await world.writeLowerPolicy('key', KEY, { allowed_models: [] });
    await eventually(async () => {
      expect(await list()).toEqual([]);
    });
    expect((await chat()).status).toBe(404);
    const replayed = await chat({}, KEYED);
    expect([replayed.status, replayed.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
  });
});

describe('the rates of policies', () => {
  /** The status and the scope that refused it, of each of these calls in turn. */
  const answersTo = async (...endUsers: readonly (string | null)[]) => {
    const answers: (number | string | null)[][] = [];
    for (const endUser of endUsers) {
      world.upstream.next(replies);
      const { status, headers } = await chat({}, endUser === null ? {} : { 'Svc-End-User': endUser });
      answers.push([status, status === 429 ? headers.get('x-ratelimit-scope') : null]);
    }
    return answers;
  };

  it.each<[string, Level, (string | null)[], (number | string | null)[][]]>([
    [
      'the project',
      { project: { rate_limit_rpm: 1 } },
      ['ana', null],
      [
        [200, null],
        [429, 'project'],
      ],
    ],
    [
      'each end user of the organization',
      { organization: { end_user_rate_limit_rpm: 1 } },
      ['ana', 'ana', 'ben', null, null],
      [
        [200, null],
        [429, 'end_user'],
        [200, null],
        [200, null],
        [200, null],
      ],
    ],
    [
      'each end user in the project',
      { organization: { end_user_rate_limit_rpm: 9 }, project: { end_user_rate_limit_rpm: 1 } },
      ['ana', 'ana', 'ben'],
      [
        [200, null],
        [429, 'end_user'],
        [200, null],
      ],
    ],
  ])('hold for %s, beside those of the key', async (_, policies, endUsers, answers) => {
    await start(policies);
    expect(await answersTo(...endUsers)).toEqual(answers);
  });

  it('name a call that could never fit', async () => {
    await start({ project: { rate_limit_tpm: 10 } });
    const { status, error } = await bodyOf(await chat({ max_tokens: 1_000 }));
    expect([status, error?.code, error?.param]).toEqual([400, 'invalid_request', 'max_output_tokens']);
    expect(error?.message).toContain('project');
  });

  it('are in the project of the header where the key has none', async () => {
    await start({ project: { rate_limit_rpm: 1 } });
    const own = await world.addKey('key_wide');
    const headers = { 'Compat-Project': PROJECT };
    const statuses: number[] = [];
    for (const with_ of [headers, headers, {}]) {
      world.upstream.next(replies);
      statuses.push((await chat({}, with_, own)).status);
    }
    expect(statuses).toEqual([200, 429, 200]);
  });
});
