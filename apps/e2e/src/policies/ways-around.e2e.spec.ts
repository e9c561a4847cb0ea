import { eventually } from '@svc/testing';
import { of } from '../distributed/tenant';
import { directed } from '../harness/clients';
import {
  ADVISOR_BETA,
  chat,
  count,
  DOOR,
  EMBED,
  embedding,
  LONG_BETA,
  message,
  narrowKeysOf,
  OPEN,
  response,
  SHUT,
  startNarrowKeys,
  type Key,
  type NarrowKeys,
  type Way,
} from './narrow-keys';

let world: NarrowKeys;
let owner: Pick<Key, 'secret'>;
/** Denies {@link SHUT}. */
let narrow: Key;
const DENIES = { denied_models: [SHUT] };

beforeAll(async () => {
  world = await startNarrowKeys('ways');
  owner = { secret: world.svc.apiKey };
  narrow = await world.newKey({ policy: DENIES });
  // From now on edges know that keys of this organization have policies.
  await eventually(async () => {
    expect(await world.listed(narrow)).toEqual([OPEN, EMBED]);
  });
});
beforeEach(() => world.svc.simulator.clearJournal());

const outcomesOf = (key: Pick<Key, 'secret'>, ways: readonly Way[]) =>
  Promise.all(ways.map((way) => world.outcomeOf(key, way)));
/** The calls that reached the provider, by its own names of the models. */
const arrived = async () => (await world.svc.simulator.journal()).map(({ model }) => model);
const nothingArrives = async () => {
  expect(await world.svc.simulator.received()).toBe(0);
};

describe('a key whose policy denies a model reaches it by no way:', () => {
  it.each<[string, Way]>([
    ['by its id', chat(SHUT)],
    ['by an alias', chat(DOOR)],
    ['by an alias, as messages', message(DOOR)],
    ['as a stream', chat(SHUT, { stream: true })],
    ['as a strict call', chat(SHUT, { compat_mode: 'strict' })],
    ['as messages', message(SHUT)],
    ['as messages at /v1/v1', message(SHUT, {}, '/v1/v1/messages')],
    ['by counting tokens', count(SHUT)],
    ['by counting tokens of an alias', count(DOOR)],
    ['by counting tokens at /v1/v1', count(SHUT, '/v1/v1/messages/count_tokens')],
    ['as responses', response(SHUT)],
    ['as responses of an alias', response(DOOR)],
    ['as embeddings', embedding(SHUT)],
    ['with a beta', { ...message(SHUT), headers: { 'anthropic-beta': LONG_BETA } }],
    ['with a key of idempotency', { ...chat(SHUT), headers: { 'idempotency-key': 'new' } }],
  ])('%s', async (_, way) => {
    expect(await world.outcomeOf(narrow, way)).toBe('404 not_found model');
    await nothingArrives();
  });

  it.each<[string, object]>([
    ['its own advisor', { type: 'advisor_20260301', name: 'advisor', model: 'shut-claude' }],
    [
      'an advisor of a name that nobody lists',
      { type: 'advisor_20260301', name: 'advisor', model: 'shut-2' },
    ],
  ])('as %s of a model that it may call', async (_, tool) => {
    const way = { ...message(OPEN, { tools: [tool] }), headers: { 'anthropic-beta': ADVISOR_BETA } };
    expect(await world.outcomeOf(narrow, way)).toBe('404 not_found tools');
    await nothingArrives();
  });

  it.each([
    ...['/v1/chat/completions/', '/V1/chat/completions', '/v1//chat/completions', '//v1/chat/completions'],
    ...['/v1/chat%2Fcompletions', '/v1/chat/completions;v=1', '/v1/v1/chat/completions', '/chat/completions'],
    ...[
      '/v1/engines/test%2Fshut/chat/completions',
      '/v1/completions',
      '/v1/chat/completions?model=test/open',
    ],
  ])('at %s', async (path) => {
    expect(await world.outcomeOf(narrow, { ...chat(SHUT), path })).toMatch(/^404 /);
    await nothingArrives();
  });

  const oddNames: readonly unknown[] = [
    ...[' test/shut', 'test/shut ', 'TEST/SHUT', 'test/shut\u0000', 'test%2Fshut', 'test//shut'],
    ...['shut-near', 'ways-near/test/shut', 'test/shut:free', 'test/open,test/shut'],
    ...[[OPEN, SHUT], { id: SHUT }],
  ];
  it.each(oddNames.map((name) => [name]))('named %j', async (model) => {
    for (const way of [chat(model), message(model)]) {
      expect(await world.outcomeOf(narrow, way)).toMatch(/^40[04] /);
    }
    await nothingArrives();
  });

  it.each<[string, object]>([
    ['fallbacks', { fallbacks: [SHUT] }],
    ['models', { models: [OPEN, SHUT] }],
    ['route', { route: 'fallback', models: [SHUT] }],
    ['provider', { provider: { order: ['ways-far'] } }],
    ['extra_body', { extra_body: { model: SHUT } }],
  ])('in the field %s beside a model that it may call', async (_, more) => {
    for (const way of [chat(OPEN, more), message(OPEN, more)]) {
      expect(await world.outcomeOf(narrow, way)).toMatch(/^400 unsupported_parameter /);
    }
    await nothingArrives();
  });

  it('as the second of two models in a body', async () => {
    const { path, body } = chat(OPEN);
    const once = JSON.stringify(body);
    for (const twice of [
      once.replace('{', `{"model":"${SHUT}",`),
      once.replace(/\}$/, `,"model":"${SHUT}"}`),
      once.replace(/\}$/, `,"mod\\u0065l":"${SHUT}"}`),
    ]) {
      expect(await world.outcomeOf(narrow, { path, body: twice })).toMatch(/^400 /);
    }
    await nothingArrives();
  });

  it('in another project', async () => {
    const project = of(201, await world.api('POST', '/projects', { name: 'Wide' }, narrow.secret))
      .id as string;
    const headers = { 'x-svc-project': project };
    expect(await world.outcomeOf(narrow, { ...chat(SHUT), headers })).toBe('404 not_found model');
    expect(await world.listed(narrow, headers)).toEqual([OPEN, EMBED]);
    await nothingArrives();
  });
});

it('what is listed is what plain calls reach', async () => {
  const ways: Readonly<Record<string, Way>> = {
    [OPEN]: chat(OPEN),
    [SHUT]: chat(SHUT),
    [DOOR]: chat(DOOR),
    [EMBED]: embedding(EMBED),
  };
  const policies = [
    DENIES,
    { allowed_models: [SHUT] },
    { denied_models: [EMBED] },
    { denied_operations: ['embeddings'] },
  ];
  for (const policy of policies) {
    const key = await world.newKey({ policy });
    const outcomes = await outcomesOf(key, Object.values(ways));
    const reached = Object.keys(ways).filter((_, nth) => outcomes[nth] === '200');
    expect([policy, (await world.listed(key)).toSorted()]).toEqual([policy, reached.toSorted()]);
    for (const [nth, name] of Object.keys(ways).entries()) {
      const one = await fetch(`${world.svc.baseUrl}/v1/models/${name}`, {
        headers: { authorization: `Bearer ${key.secret}` },
      });
      expect([policy, name, one.ok]).toEqual([policy, name, outcomes[nth] === '200']);
    }
  }
});

describe('an empty list lets nothing through:', () => {
  const EVERY_WAY = [
    ...[chat(OPEN), chat(DOOR), message(OPEN), message(OPEN, {}, '/v1/v1/messages')],
    ...[count(OPEN), response(OPEN), embedding(EMBED)],
  ];
  const fields = ['allowed_models', 'allowed_providers', 'allowed_regions', 'allowed_operations'];

  /** A key under a policy of that level. */
  const under: Readonly<
    Record<string, (policy: object) => Promise<readonly [NarrowKeys, Pick<Key, 'secret'>]>>
  > = {
    organization: async (policy) => {
      const other = narrowKeysOf(await world.svc.withOtherOrganization());
      of(200, await other.api('PUT', '/policy', policy));
      return [other, { secret: other.svc.apiKey }];
    },
    project: async (policy) => {
      const id = of(201, await world.api('POST', '/projects', { name: 'None' })).id as string;
      of(200, await world.api('PUT', `/projects/${id}/policy`, policy));
      return [world, await world.newKey({ project_id: id, scopes: ['inference:invoke'] })];
    },
    key: async (policy) => [world, await world.newKey({ policy })],
  };

  it.each(Object.keys(under).flatMap((level) => fields.map((field) => [field, level] as const)))(
    '%s of the policy of the %s',
    async (field, level) => {
      const [at, key] = await under[level]!({ [field]: [] });
      expect(await at.listed(key)).toEqual([]);
      const outcomes = await Promise.all(EVERY_WAY.map((way) => at.outcomeOf(key, way)));
      for (const outcome of outcomes)
        expect(outcome).toMatch(/^(404 not_found|422 no_eligible_route) model$/);
      await nothingArrives();
    },
  );
});

describe('a fallback goes to no provider that a policy rules out:', () => {
  /** The first attempt fails at the provider. */
  const failing = chat(OPEN, { messages: [directed({ only_model: 'open-near', status: 500 }, 'Hello')] });
  // So that no circuit opens.
  afterEach(async () => {
    expect(await world.outcomeOf(owner, chat(OPEN))).toBe('200');
  });

  it('as it does without a policy', async () => {
    expect(await world.outcomeOf(owner, failing)).toBe('200');
    await eventually(async () => {
      expect(await arrived()).toEqual(['open-near', 'open-far']);
    });
  });

  it.each<[string, object]>([
    ['denied_providers', { denied_providers: ['ways-far'] }],
    ['allowed_providers', { allowed_providers: ['ways-near', 'ways-claude'] }],
    ['denied_regions', { denied_regions: ['us'] }],
    ['require_zero_retention', { require_zero_retention: true }],
  ])('by %s', async (_, policy) => {
    const key = await world.newKey({ policy: { ...policy, denied_operations: ['messages'] } });
    expect(await world.outcomeOf(key, failing)).toMatch(/^50[23] /);
    await eventually(async () => {
      expect(await arrived()).not.toEqual([]);
    });
    expect(new Set(await arrived()).has('open-far')).toBe(false);
  });
});

describe('an operation that a policy rules out is none on any path:', () => {
  it.each<[string, readonly Way[]]>([
    ['chat_completions', [chat(OPEN), chat(OPEN, { stream: true })]],
    ['messages', [message(OPEN), message(OPEN, {}, '/v1/v1/messages'), count(OPEN)]],
    ['messages', [count(OPEN, '/v1/v1/messages/count_tokens')]],
    ['responses', [response(OPEN)]],
    ['embeddings', [embedding(EMBED)]],
  ])('%s', async (operation, ways) => {
    const others = ['chat_completions', 'messages', 'responses', 'embeddings'].filter(
      (one) => one !== operation,
    );
    for (const policy of [{ denied_operations: [operation] }, { allowed_operations: others }]) {
      const key = await world.newKey({ policy });
      expect(new Set(await outcomesOf(key, ways))).toEqual(new Set(['422 no_eligible_route model']));
    }
    await nothingArrives();
  });
});

describe('a key that has a policy makes no wider one:', () => {
  const expectNarrow = async (key: Key) => {
    expect(await outcomesOf(key, [chat(SHUT), chat(DOOR), message(SHUT)])).toEqual(
      Array(3).fill('404 not_found model'),
    );
    await nothingArrives();
  };

  it.each<[string, object]>([
    ['without a policy', {}],
    ['with an empty policy', { policy: {} }],
    ['with a policy that allows the model', { policy: { allowed_models: [OPEN, SHUT] } }],
    ['with a policy that denies nothing', { policy: { denied_models: [] } }],
  ])('a key %s, and that one neither', async (_, fields) => {
    const child = await world.newKey(fields, narrow.secret);
    await expectNarrow(child);
    await expectNarrow(await world.newKey(fields, child.secret));
  });

  it('a successor, whoever makes it', async () => {
    for (const by of [world.svc.apiKey, narrow.secret]) {
      const old = await world.newKey({ policy: DENIES });
      await expectNarrow(await world.newKey({ replaces: old.id, policy: { denied_models: [] } }, by));
    }
  });

  it('a key in the place of a wide one', async () => {
    const wide = await world.newKey({});
    await expectNarrow(await world.newKey({ replaces: wide.id }, narrow.secret));
  });

  it('by writing a policy, at any level, on any path', async () => {
    const child = await world.newKey({}, narrow.secret);
    const { organizationId, projectId } = world.svc;
    const policies = [
      '/policy',
      `/projects/${projectId}/policy`,
      `/keys/${narrow.id}/policy`,
      `/keys/${child.id}/policy`,
    ];
    for (const path of policies.flatMap((own) => [own, `/organizations/${organizationId}${own}`])) {
      const { status, body } = await world.api('PUT', path, {}, narrow.secret);
      expect([path, status, body.error.code]).toEqual([path, 403, 'permission_denied']);
    }
    await world.api('PATCH', `/keys/${narrow.id}`, { policy: {} }, narrow.secret);
    await expectNarrow(narrow);
    await expectNarrow(child);
  });
});

describe('the answer to another key is none for a key that could not have asked:', () => {
  const keyed = (way: Way, key: string): Way => ({ ...way, headers: { 'idempotency-key': key } });

  it.each<[string, Way]>([
    ['plain', chat(SHUT)],
    ['streamed', chat(SHUT, { stream: true })],
    ['under an alias', chat(DOOR)],
    ['of messages', message(SHUT)],
    ['of responses', response(SHUT)],
  ])('%s', async (name, way) => {
    const same = keyed(way, `model-${name}`);
    expect(await world.outcomeOf(owner, same)).toBe('200');
    await world.svc.simulator.clearJournal();
    expect(await world.outcomeOf(narrow, same)).toBe('404 not_found model');
    expect(await world.outcomeOf(owner, same)).toBe('200');
    await nothingArrives();
  });

  it('of an operation that its policy rules out', async () => {
    const key = await world.newKey({ policy: { denied_operations: ['embeddings'] } });
    const same = keyed(embedding(EMBED), 'operation');
    expect(await world.outcomeOf(owner, same)).toBe('200');
    await world.svc.simulator.clearJournal();
    expect(await world.outcomeOf(key, same)).toBe('404 not_found model');
    await nothingArrives();
  });

  it('where it must name an end user, and for another end user', async () => {
    const key = await world.newKey({ policy: { require_end_user: true } });
    const same = keyed(chat(OPEN), 'person');
    expect(await world.outcomeOf(owner, same)).toBe('200');
    await world.svc.simulator.clearJournal();
    expect(await world.outcomeOf(key, same)).toBe('400 invalid_request Svc-End-User');
    const headers = { ...same.headers, 'svc-end-user': 'ana' };
    expect(await world.outcomeOf(key, { ...same, headers })).toBe(
      '409 idempotency_key_reused Idempotency-Key',
    );
    await nothingArrives();
  });
});

it('a key that must name an end user sends no call without one', async () => {
  const key = await world.newKey({ policy: { require_end_user: true } });
  const nobody = [
    ...[
      chat(OPEN),
      chat(OPEN, { user: '' }),
      chat(OPEN, { user: null }),
      chat(OPEN, { prompt_cache_key: 'ana' }),
    ],
    ...[message(OPEN), message(OPEN, { metadata: {} }), response(OPEN), embedding(EMBED)],
    { ...chat(OPEN), headers: { 'svc-end-user': '' } },
  ];
  expect(new Set(await outcomesOf(key, nobody))).toEqual(new Set(['400 invalid_request Svc-End-User']));
  await nothingArrives();
  expect(await world.outcomeOf(key, chat(OPEN, { user: 'ana' }))).toBe('200');
  expect(await world.outcomeOf(key, count(OPEN))).toBe('200');
});

it('a key whose policy denies the target of a rollout is not moved there, while others are', async () => {
  const other = narrowKeysOf(await world.svc.withOtherOrganization());
  const all = { secret: other.svc.apiKey };
  const denying = await other.newKey({ policy: DENIES });
  const to = { model: SHUT };
  const rollouts = [{ name: 'way', model: OPEN, to, share_bps: 10_000, by: 'api_key' }];
  of(200, await other.api('PUT', '/policy', { rollouts }));
  await eventually(async () => {
    await world.svc.simulator.clearJournal();
    expect(await other.outcomeOf(all, chat(OPEN))).toBe('200');
    expect(await arrived()).toEqual(['shut-near']);
  });
  await world.svc.simulator.clearJournal();
  const ways = [chat(OPEN), chat(OPEN, { stream: true }), message(OPEN), response(OPEN)];
  for (const way of ways) expect(await other.outcomeOf(denying, way)).toBe('200');
  expect((await arrived()).filter((model) => String(model).startsWith('shut'))).toEqual([]);
});
