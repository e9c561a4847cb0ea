import { type CredentialReport, CredentialReportStore } from '@svc/policy/store';
import { credentialReport, refusedReport } from '@svc/policy/testing';
import { eventually, type ScriptedAnswer } from '@svc/testing';
import { completes } from '../testing/answers';
import { CHAT, MODEL, PRICES } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const world = edgeWorld();
const SMALL = MODEL.id;
const LARGE = 'acme/large';

/** Two models at one provider, which takes a credential. */
const catalog = (credentialEnv: unknown = 'ACME_KEY'): string => {
  const endpoint = { provider: 'acme', region: 'eu', data_retention: 'zero', prices: PRICES };
  return JSON.stringify({
    providers: [
      {
        name: 'acme',
        protocol: 'openai',
        base_url: `${world.upstream.url}/v1`,
        credential_env: credentialEnv,
      },
    ],
    models: [SMALL, LARGE].map((id) => ({ ...MODEL, id, display_name: id })),
    endpoints: [SMALL, LARGE].map((model) => ({ ...endpoint, model, upstream_model: model })),
  });
};
const start = (credentialEnv?: unknown, environment: Record<string, string> = {}): Promise<void> =>
  world.start({ catalog: catalog(credentialEnv), environment });
const chat = (model: string = SMALL) => world.edge.post('/v1/chat/completions', { ...CHAT, model });

/** Answers each credential by itself, for as long as the spec runs. */
let said: Record<string, ScriptedAnswer>;
const refuses = (status: number, headers: Record<string, string> = {}, code = 'refused'): ScriptedAnswer => {
  const body = JSON.stringify({ error: { message: 'no', code } });
  return (_, response) => void response.writeHead(status, headers).end(body);
};
const serve = (calls: number): void => {
  for (let call = 0; call < calls; call++) {
    world.upstream.next((incoming, response) => {
      const secret = (incoming.headers.authorization ?? '').replace('Bearer ', '');
      return (said[secret] ?? completes())(incoming, response);
    });
  }
};
const sent = (from = 0): string[] =>
  world.upstream.received
    .slice(from)
    .map(({ headers }) => String(headers.authorization).slice('Bearer '.length));
const weigh = (id: string, weight: number) =>
  world.database.prisma.providerCredential.update({ where: { id }, data: { weight } });
beforeEach(() => {
  said = {};
});

/** Two of the organization's own: `cred_2` is a spare. */
async function startWithOwn(): Promise<void> {
  await start();
  await world.storeCredential('acme', 'cred_1', 'sk-main');
  await world.storeCredential('acme', 'cred_2', 'sk-spare');
  await weigh('cred_2', 0);
}

describe('several credentials of an organization at one provider', () => {
  it('share its calls, each call by its own', async () => {
    await start();
    await world.storeCredential('acme', 'cred_1', 'sk-one');
    await world.storeCredential('acme', 'cred_2', 'sk-two');
    serve(40);
    for (let call = 0; call < 40; call++) expect((await chat()).status).toBe(200);
    expect(new Set(sent())).toEqual(new Set(['sk-one', 'sk-two']));
  });

  it.each<[number, ScriptedAnswer]>([
    [401, refuses(401)],
    [402, refuses(402)],
    [403, refuses(403)],
    [429, refuses(429, { 'retry-after': '30' })],
  ])('go on with the next in the same call at %d, and later calls begin there', async (status, refusal) => {
    await startWithOwn();
    said['sk-main'] = refusal;
    serve(3);
    const first = (await (await chat()).json()) as { svc: { attempts: { status: number }[] } };
    expect(first.svc.attempts.map((attempt) => attempt.status)).toEqual([status, 200]);
    expect((await chat()).status).toBe(200);
    expect(sent()).toEqual(['sk-main', 'sk-spare', 'sk-spare']);
  });

  it('reach the sum of their limits: none of the provider’s 429 reaches a caller, and each is met once', async () => {
    await start();
    const refusals = new Map<string, number>();
    // As many as a call is planned with: of more, a call could meet three that are all spent.
    for (const name of ['one', 'two', 'three']) {
      const secret = `sk-${name}`;
      await world.storeCredential('acme', `cred_${name}`, secret);
      let left = 8;
      said[secret] = (incoming, response) => {
        if (left-- > 0) return completes()(incoming, response);
        refusals.set(secret, (refusals.get(secret) ?? 0) + 1);
        return refuses(429, { 'retry-after': '3600' })(incoming, response);
      };
    }
    serve(27);
    for (let call = 0; call < 24; call++) expect((await chat()).status).toBe(200);
    expect(Math.max(0, ...refusals.values())).toBeLessThanOrEqual(1);
  });

  it('rest by model at a 429 and a 403, and for all models where they are refused', async () => {
    await startWithOwn();
    said['sk-main'] = refuses(429, { 'retry-after': '30' });
    serve(3);
    await chat();
    delete said['sk-main'];
    await chat(LARGE);
    expect(sent()).toEqual(['sk-main', 'sk-spare', 'sk-main']);
    said['sk-main'] = refuses(429, {}, 'insufficient_quota');
    serve(2);
    await chat(LARGE);
    const before = sent().length;
    delete said['sk-main'];
    serve(1);
    await chat(LARGE);
    expect(sent(before)).toEqual(['sk-spare']);
  });

  it('answer 429 before anything is held or sent once all of them cool', async () => {
    await startWithOwn();
    said['sk-main'] = refuses(429, { 'retry-after': '30' });
    said['sk-spare'] = refuses(429, { 'retry-after': '20' });
    serve(2);
    expect((await chat()).status).toBe(429);
    const records = () => world.database.prisma.requestRecord.count();
    const [before, sentBefore] = [await records(), sent().length];
    const refused = await chat();
    expect([refused.status, Number(refused.headers.get('retry-after')) <= 20]).toEqual([429, true]);
    expect(await refused.json()).toMatchObject({ error: { code: 'provider_rate_limit', retriable: true } });
    expect([await records(), sent().length]).toEqual([before, sentBefore]);
  });

  it('are tried all the same where all are refused, so that one that is paid again answers', async () => {
    await startWithOwn();
    said['sk-main'] = refuses(401);
    said['sk-spare'] = refuses(402);
    serve(3);
    expect((await chat()).status).toBe(502);
    expect((await chat()).status).toBe(502);
    said = {};
    serve(2);
    expect([(await chat()).status, (await chat()).status]).toEqual([200, 200]);
  });

  it('forget what they know of one that is rotated or enabled', async () => {
    await startWithOwn();
    said['sk-main'] = refuses(401);
    serve(2);
    await chat();
    delete said['sk-main'];
    await world.database.prisma.providerCredential.update({
      where: { id: 'cred_1' },
      data: { healthEpoch: { increment: 1 } },
    });
    await eventually(async () => {
      serve(1);
      await chat();
      expect(sent().at(-1)).toBe('sk-main');
    });
  });

  it('are passed over once their own rates are used up: then the call is 429 and costs nothing', async () => {
    await startWithOwn();
    await world.database.prisma.providerCredential.updateMany({ data: { rateLimitRpm: 1 } });
    serve(2);
    expect([(await chat()).status, (await chat()).status]).toEqual([200, 200]);
    expect(sent()).toEqual(['sk-main', 'sk-spare']);
    const refused = await chat();
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true]);
    expect(await refused.json()).toMatchObject({ error: { code: 'provider_rate_limit' } });
    const records = await world.database.prisma.requestRecord.findMany({ orderBy: { id: 'desc' }, take: 1 });
    expect(records).toMatchObject([{ customerNanos: 0n }]);
  });
});

describe('several credentials of the platform', () => {
  const several = ['A', { env: 'B', weight: 0 }];
  const environment = { A: 'sk-a', B: 'sk-b' };

  it('are tried by their weights, and go on with the next', async () => {
    await start(several, environment);
    said['sk-a'] = refuses(429, { 'retry-after': '30' });
    serve(3);
    expect([(await chat()).status, (await chat()).status]).toEqual([200, 200]);
    expect(sent()).toEqual(['sk-a', 'sk-b', 'sk-b']);
  });

  it('that are not set are left out', async () => {
    await start(several, { B: 'sk-b' });
    serve(1);
    expect((await chat()).status).toBe(200);
    expect(sent()).toEqual(['sk-b']);
  });
});

describe('edges', () => {
  it('hear of each other what rests, and that it is over', async () => {
    await startWithOwn();
    const reports = new CredentialReportStore(world.database);
    /** An edge hears what is told while it listens, and begins to listen while it starts. So it is told again each time. */
    const isSentBy = (secret: string, told: readonly CredentialReport[] = []) =>
      eventually(async () => {
        await reports.write('edge_other', told);
        serve(1);
        await chat();
        expect(sent().at(-1)).toBe(secret);
      });
    await isSentBy('sk-main');
    await isSentBy('sk-spare', [refusedReport({ isNews: true })]);
    await isSentBy('sk-main', [credentialReport({ isNews: true })]);
  });

  it('report what rests, and what is left of the provider’s limits', async () => {
    await startWithOwn();
    const room = { 'x-ratelimit-limit-requests': '100', 'x-ratelimit-remaining-requests': '0' };
    said['sk-main'] = refuses(429, { 'retry-after': '90', ...room });
    serve(2);
    await chat();
    await eventually(async () => {
      const [found] = await new CredentialReportStore(world.database).healthOf([
        { id: 'cred_1', healthEpoch: 0 },
      ]);
      expect(found).toMatchObject({
        health: 'cooling',
        cooling: [{ endpointId: `${SMALL}|acme|eu|${SMALL}` }],
        headroomBps: 0,
      });
    });
  });
});
