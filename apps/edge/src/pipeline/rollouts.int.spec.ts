import { eventually, readSse } from '@svc/testing';
import { answersJson, completes, completion } from '../testing/answers';
import { CHAT, MODEL, PRICES } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const world = edgeWorld();

/** `small` at two providers, the cheaper one first; `large` at a third, ten times as dear. */
const catalog = (): string => {
  const names = ['first', 'second', 'third'];
  const endpoint = { upstream_model: 'm', region: 'eu', data_retention: 'zero' };
  return JSON.stringify({
    providers: names.map((name) => ({
      ...{ name, protocol: 'openai', base_url: `${world.upstream.url}/${name}` },
    })),
    models: ['acme/small', 'acme/large'].map((id) => ({ ...MODEL, id, display_name: id })),
    endpoints: [
      { ...endpoint, model: 'acme/small', provider: 'first', prices: PRICES },
      { ...endpoint, model: 'acme/small', provider: 'second', prices: { input: 20, output: 200 } },
      { ...endpoint, model: 'acme/large', provider: 'third', prices: { input: 100, output: 1_000 } },
    ],
  });
};

const rollout = (more: object = {}) => ({
  ...{ name: 'trial', model: 'acme/small', to: { provider: 'second' }, share_bps: 10_000, by: 'api_key' },
  ...{ ends_at: null, abort: { max_error_rate_bps: 500, max_ttft_p95_ms: null, min_calls: 50 } },
  ...more,
});
type Written = ReturnType<typeof rollout>;

/** A policy with these rollouts, which run. */
async function start(rollouts: readonly object[], policy: object = {}): Promise<void> {
  await world.start({ catalog: catalog() });
  const written = rollouts as readonly Written[];
  await world.database.prisma.rollout.createMany({
    data: written.map(({ name, model, to, share_bps: shareBps, by: subject }) => ({
      ...{ id: `rol_${name}`, organizationId: world.edge.organizationId, name, model, target: to },
      ...{ shareBps, subject, minCalls: 50 },
    })),
  });
  await world.writePolicy({ ...policy, rollouts: rollouts as never });
}

const chat = (more: object = {}, headers: Record<string, string> = {}) =>
  world.edge.post('/v1/chat/completions', { ...CHAT, ...more }, { headers });
/** A call that the provider answers. @returns its body and where it was sent */
async function answered(more: object = {}, headers: Record<string, string> = {}) {
  world.upstream.next(completes());
  const response = await chat(more, headers);
  const body = (await response.json()) as { model: string; svc: { model?: string } };
  return { status: response.status, body, sentTo: sentTo().at(-1) };
}
const sentTo = () => world.upstream.received.map(({ path }) => path.split('/')[1]);
const records = () => world.database.prisma.requestRecord.findMany({ orderBy: { id: 'asc' } });
/** Of each arm, after the edge has written what is left. A minute may end in the middle of a test, so all are summed up. */
const arms = async () => {
  await world.edge.close();
  const rows = await world.database.prisma.rolloutMinute.groupBy({
    by: ['rolloutId', 'arm'],
    _sum: { calls: true, failures: true, customerNanos: true },
    orderBy: { arm: 'desc' },
  });
  return rows.map(({ rolloutId, arm, _sum: { calls, failures, customerNanos } }) => ({
    ...{ rolloutId, arm, calls, failures, customerNanos: Number(customerNanos) },
  }));
};

describe('a call that a rollout takes', () => {
  it('goes to its target first, with the usual fallback, and the others stay', async () => {
    await start([rollout({ by: 'session', share_bps: 5_000 })]);
    const sessions = Array.from({ length: 12 }, (_, at) => `session-${String(at)}`);
    const at = async () => {
      const places: (string | undefined)[] = [];
      for (const session of sessions) {
        places.push((await answered({}, { 'svc-session-id': session })).sentTo);
      }
      return places;
    };
    const places = await at();
    expect(new Set(places)).toEqual(new Set(['first', 'second']));
    expect(await at()).toEqual(places);
    expect((await answered()).sentTo).toBe('first');
    const moved = places.filter((place) => place === 'second').length * 2;
    expect(await arms()).toMatchObject([
      { rolloutId: 'rol_trial', arm: 'treatment', calls: moved, failures: 0, customerNanos: moved * 220 },
      { arm: 'control', calls: 24 - moved, customerNanos: (24 - moved) * 110 },
    ]);
  });

  it('falls back from its target as always', async () => {
    await start([rollout()]);
    world.upstream.next(answersJson({ error: { message: 'no' } }, 500));
    expect(await answered()).toMatchObject({ status: 200, sentTo: 'first' });
    expect(sentTo()).toEqual(['second', 'first']);
  });

  it('is planned with another model, which its record, its charge and `svc.model` name, and `model` is what was asked', async () => {
    await start([rollout({ to: { model: 'acme/large' } })]);
    const { body, sentTo: place } = await answered();
    expect([body.model, body.svc.model, place]).toEqual(['acme/small', 'acme/large', 'third']);
    world.upstream.next((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const chunk = { ...completion(), object: 'chat.completion.chunk', choices: [] };
      const begun = { ...chunk, choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] };
      const usage = { ...chunk, usage: { prompt_tokens: 1, completion_tokens: 1 } };
      for (const each of [begun, usage]) response.write(`data: ${JSON.stringify(each)}\n\n`);
      response.end('data: [DONE]\n\n');
    });
    const frames = await readSse(await chat({ stream: true }));
    expect(JSON.stringify(frames)).toContain('\\"svc\\":{\\"model\\":\\"acme/large\\"');
    expect(await records()).toMatchObject([
      { model: 'acme/large', provider: 'third', customerNanos: 1_100n },
      { model: 'acme/large' },
    ]);
    expect(await arms()).toMatchObject([{ arm: 'treatment', calls: 2, customerNanos: 2_200 }]);
  });

  it('is within the output that the policy allows, with another model too', async () => {
    await start([rollout({ to: { model: 'acme/large' } })], { max_output_tokens: 20 });
    const { body } = await answered();
    expect(JSON.parse(world.upstream.received[0]!.body.toString())).toMatchObject({ max_tokens: 20 });
    expect(body).toMatchObject({ warnings: [{ code: 'limited_by_policy' }], svc: { model: 'acme/large' } });
    expect(await records()).toMatchObject([{ model: 'acme/large', heldNanos: expect.any(BigInt) as bigint }]);
  });

  it('says nothing of the model where it stays the same', async () => {
    await start([rollout()]);
    expect((await answered()).body.svc).not.toHaveProperty('model');
  });

  it('stays where it was once the rollout ends, as soon as edges hear of it', async () => {
    await start([rollout()]);
    expect((await answered()).sentTo).toBe('second');
    await world.database.pool.query(
      `UPDATE rollouts SET state = 'aborted', reason = 'user', ended_at = now(), due_at = NULL`,
    );
    await eventually(async () => {
      expect((await answered()).sentTo).toBe('first');
    });
  });

  it('goes with the first rollout that takes it, and counts for no other', async () => {
    await start([rollout(), rollout({ name: 'later', to: { model: 'acme/large' } })]);
    expect((await answered()).sentTo).toBe('second');
    expect(await arms()).toMatchObject([{ rolloutId: 'rol_trial', arm: 'treatment', calls: 1 }]);
  });

  it('is not moved where it has no subject, or the rollout is of another model', async () => {
    await start([
      rollout({ by: 'end_user' }),
      rollout({ name: 'session', by: 'session' }),
      rollout({ name: 'large', model: 'acme/large' }),
    ]);
    expect((await answered()).sentTo).toBe('first');
    expect((await answered({ user: 'ada' })).sentTo).toBe('second');
    expect(await arms()).toMatchObject([{ rolloutId: 'rol_trial', calls: 1 }]);
  });
});

describe('a call whose target is refused stays where it was', () => {
  it.each([
    ['a model', { denied_models: ['acme/large'] }, { model: 'acme/large' }],
    ['a provider', { denied_providers: ['second'] }, { provider: 'second' }],
    ['the provider of a model', { denied_providers: ['third'] }, { model: 'acme/large' }],
  ])('where the policy of its key denies %s', async (_, policy, to) => {
    await start([rollout({ to })]);
    const [key] = await world.database.prisma.apiKey.findMany();
    await world.writeLowerPolicy('key', key!.id, policy);
    for (let nth = 0; nth < 3; nth++) expect((await answered()).sentTo).toBe('first');
    expect(await arms()).toEqual([]);
  });

  it('where the model is in no catalog', async () => {
    await start([rollout({ to: { model: 'acme/gone' } })]);
    expect((await answered()).sentTo).toBe('first');
  });

  it('where it would cost more than the policy allows', async () => {
    await start([rollout({ to: { model: 'acme/large' } })], { max_cost_nanos: 20_000 });
    expect(await answered()).toMatchObject({ status: 200, sentTo: 'first' });
    expect(await arms()).toEqual([]);
  });

  it('where its circuits are open, and counts as a failed call of the rollout', async () => {
    await start([rollout({ to: { model: 'acme/large' } })]);
    for (let nth = 0; nth < 5; nth++) {
      world.upstream.next(answersJson({ error: { message: 'no' } }, 500));
      expect((await chat()).status).toBe(502);
    }
    for (let nth = 0; nth < 3; nth++) expect((await answered()).sentTo).toBe('first');
    expect(await arms()).toMatchObject([{ arm: 'treatment', calls: 8, failures: 8, customerNanos: 0 }]);
  });

  it('but is refused where a budget or the wallet does not pay for it', async () => {
    await start([rollout({ to: { model: 'acme/large' } })]);
    await world.addBudget(1n, { scope: 'model', scopeId: 'acme/large' });
    expect((await chat()).status).toBe(402);
    await world.database.prisma.budget.deleteMany();
    await world.database.pool.query('UPDATE wallets SET balance_nanos = 20000');
    expect((await chat()).status).toBe(402);
    expect(sentTo()).toEqual([]);
  });
});

it('an answer is replayed although its call would go elsewhere by now', async () => {
  await start([rollout({ to: { model: 'acme/large' } })]);
  const headers = { 'idempotency-key': 'once' };
  const { body } = await answered({}, headers);
  await world.database.pool.query(
    `UPDATE rollouts SET state = 'aborted', reason = 'user', ended_at = now(), due_at = NULL`,
  );
  expect(await (await chat({}, headers)).json()).toEqual(body);
});
