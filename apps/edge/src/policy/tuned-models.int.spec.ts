import { eventually } from '@svc/testing';
import { completes } from '../testing/answers';
import { CHAT, MODEL, PRICES } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const world = edgeWorld();
const TUNED = 'ft-abcdefgh/small-support-qwerty';
const INFERENCE = { input: 1_000, output: 2_000 };

const catalog = (inference: object | null = INFERENCE): string => {
  const offer = {
    ...{ model: 'acme/small', provider: 'acme', upstream_model: 'small-1', region: 'eu' },
    ...{ data_retention: 'zero', price_per_trained_token: 1, max_trained_tokens: 100 },
  };
  return JSON.stringify({
    providers: [{ name: 'acme', protocol: 'openai', base_url: `${world.upstream.url}/v1` }],
    models: [{ ...MODEL, id: 'acme/small', display_name: 'Small' }],
    endpoints: [
      {
        ...{ model: 'acme/small', provider: 'acme', upstream_model: 'small-1', region: 'eu' },
        ...{ data_retention: 'zero', prices: PRICES },
      },
    ],
    fine_tuning: [{ ...offer, ...(inference && { inference }) }],
  });
};

const plant = (organizationId: string, name = TUNED) =>
  world.database.prisma.fineTunedModel.create({
    data: {
      ...{ name, organizationId, jobId: `ftjob_${name}`, baseModel: 'acme/small', provider: 'acme' },
      ...{ upstreamModel: 'ft:small-1:ours', region: 'eu' },
    },
  });
const chat = (model = TUNED) => world.edge.post('/v1/chat/completions', { ...CHAT, model });
const listed = async (): Promise<string[]> => {
  const answer = await fetch(`${world.edge.url}/v1/models`, { headers: { 'x-api-key': world.edge.apiKey } });
  return ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
};
const codeOf = async (response: Response) => {
  const { error } = (await response.json()) as { error?: { code: string; message: string } };
  return { status: response.status, ...error };
};

describe('a tuned model', () => {
  it('is called at its provider, by its name there, at the prices of inference', async () => {
    await world.start({ catalog: catalog() });
    await plant(world.edge.organizationId);
    world.upstream.next(completes(10, 5));
    const answer = await chat();
    expect(answer.status).toBe(200);
    const body = (await answer.json()) as { model: string; svc: { cost: { customer_nanos: number } } };
    expect(body.model).toBe(TUNED);
    expect(body.svc.cost.customer_nanos).toBe(10 * 1_000 + 5 * 2_000);
    const sent = JSON.parse(world.upstream.received[0]!.body.toString()) as { model: string };
    expect(sent.model).toBe('ft:small-1:ours');
    expect(await world.database.prisma.requestRecord.findMany()).toMatchObject([{ model: TUNED }]);
    expect(await listed()).toEqual(['acme/small', TUNED]);
  });

  it('of another organization is as unknown as any', async () => {
    await world.start({ catalog: catalog() });
    await plant('org_other');
    expect(await codeOf(await chat())).toMatchObject({ status: 404, code: 'not_found' });
    expect(await listed()).toEqual(['acme/small']);
    const one = await fetch(`${world.edge.url}/v1/models/${TUNED}`, {
      headers: { 'x-api-key': world.edge.apiKey },
    });
    expect(one.status).toBe(404);
  });

  it('is there and gone as soon as the edge is told', async () => {
    await world.start({ catalog: catalog() });
    expect((await chat()).status).toBe(404);
    await plant(world.edge.organizationId);
    await eventually(async () => {
      expect(await listed()).toContain(TUNED);
    });
    await world.database.prisma.fineTunedModel.update({
      where: { name: TUNED },
      data: { deletedAt: new Date() },
    });
    await eventually(async () => {
      expect(await listed()).toEqual(['acme/small']);
    });
    expect((await chat()).status).toBe(404);
  });

  it('that nothing serves is listed, and a call of it is told what to start', async () => {
    await world.start({ catalog: catalog(null) });
    await plant(world.edge.organizationId);
    expect(await listed()).toContain(TUNED);
    const refusal = await codeOf(await chat());
    expect(refusal).toMatchObject({ status: 422, code: 'no_eligible_route' });
    expect(refusal.message).toContain('/api/v1/fine-tuning/endpoints/{id}/start');
  });

  it('is within the policy', async () => {
    await world.start({ catalog: catalog() });
    await plant(world.edge.organizationId);
    await world.writePolicy({ denied_models: [TUNED] });
    await eventually(async () => {
      expect(await listed()).not.toContain(TUNED);
    });
    expect(await codeOf(await chat())).toMatchObject({ status: 404, code: 'not_found' });
  });

  it.each([
    ['that is served', INFERENCE],
    ['that nothing serves', null],
  ])('%s is hidden by a policy that denies its base', async (_, inference) => {
    await world.start({ catalog: catalog(inference) });
    await plant(world.edge.organizationId);
    await world.writePolicy({ denied_models: ['acme/small'] });
    await eventually(async () => {
      expect(await listed()).toEqual([]);
    });
    expect(await codeOf(await chat())).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('whose base a policy denies is no answer of another key’s call either', async () => {
    await world.start({ catalog: catalog() });
    await plant(world.edge.organizationId);
    const narrow = await world.addKey('key_narrow');
    await world.writeLowerPolicy('key', 'key_narrow', { denied_models: ['acme/small'] });
    const keyed = (secret: string) =>
      world.edge.post(
        '/v1/chat/completions',
        { ...CHAT, model: TUNED },
        { headers: { 'x-api-key': secret, 'idempotency-key': 'once' } },
      );
    world.upstream.next(completes(10, 5));
    expect((await keyed(world.edge.apiKey)).status).toBe(200);
    expect((await keyed(world.edge.apiKey)).headers.get('idempotency-replayed')).toBe('true');
    expect(await codeOf(await keyed(narrow))).toMatchObject({ status: 404, code: 'not_found' });
  });
});

it('a call of a model of the catalog asks nothing of tuned ones', async () => {
  await world.start({ catalog: catalog() });
  await world.database.pool.query('ALTER TABLE fine_tuned_models RENAME TO fine_tuned_models_away');
  world.upstream.next(completes());
  expect((await chat('acme/small')).status).toBe(200);
});
