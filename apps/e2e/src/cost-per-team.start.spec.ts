import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, inParallel } from '@svc/testing';
import { anthropicClient, openAiClient, svcOf } from './harness/clients';
import { describeEmbedded } from './harness/composition';
import { startSvc, type Svc } from './harness/svc-process';

const model = 'simulator/echo';
const messages = [{ role: 'user' as const, content: 'Hello' }];

interface Labelled {
  readonly id: string;
  readonly user: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}
interface UsageRow {
  readonly tag: string | null;
  readonly requests: number;
  readonly customer_nanos: number;
}

/** Its metrics are the sums of all organizations, so it serves this file alone. */
let svc: Svc;
beforeAll(async () => {
  svc = await startSvc({ env: { SVC_ORGANIZATION_METRICS: 'true' } });
});
afterAll(() => svc.stop());

async function manage<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${svc.baseUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${String(answer.status)} ${await answer.text()}`);
  return (await answer.json()) as T;
}
const found = async (query: string): Promise<readonly Labelled[]> =>
  (await manage<{ data: Labelled[] }>('GET', `/requests?${query}`)).data;
const recordOf = (id: string): Promise<Labelled> => manage('GET', `/requests/${id}`);
const usage = async (query: string): Promise<readonly UsageRow[]> =>
  (await manage<{ data: UsageRow[] }>('GET', `/usage?${query}`)).data;
const declare = (usageTag: string | null) =>
  manage('PATCH', `/organizations/${svc.organizationId}`, { usage_tag: usageTag });

interface Said {
  readonly user?: string;
  readonly metadata?: Record<string, string>;
}

/** A call by OpenAI's client. @returns its id and what it cost. */
async function complete(said: Said): Promise<{ readonly id: string; readonly nanos: number }> {
  const { data, response } = await openAiClient(svc)
    .chat.completions.create({ model, messages, ...said })
    .withResponse();
  return { id: response.headers.get('x-request-id') ?? '', nanos: svcOf(data).cost.customer_nanos };
}

/** Makes calls until the edge goes by the declaration: within 30 seconds, mostly at once. */
const untilTagged = (tag: string, said: Said) =>
  eventually(async () => {
    await complete(said);
    expect((await usage('group_by=tag')).map((row) => row.tag)).toContain(tag);
  }, 30_000);

describe('the labels of a call', () => {
  it('of OpenAI’s client are on its record, and find it', async () => {
    const { id } = await complete({ user: 'u-1', metadata: { team: 'search', env: 'live' } });
    await complete({ user: 'u-2', metadata: { team: 'search' } });
    const label = { user: 'u-1', metadata: { team: 'search', env: 'live' } };
    expect(await recordOf(id)).toMatchObject(label);
    for (const query of [
      'user=u-1',
      'metadata[env]=live',
      'user=u-1&metadata[team]=search&metadata[env]=live',
    ]) {
      expect(await found(query)).toMatchObject([{ id, ...label }]);
    }
    expect(await found('metadata[team]=search')).toHaveLength(2);
    expect(await found('metadata[team]=sea')).toEqual([]);
  });

  it('of Anthropic’s client, plain and streamed, are its metadata, with the user in it', async () => {
    const body = { model, messages, max_tokens: 50, metadata: { user_id: 'u-3' } };
    await anthropicClient(svc).messages.create(body);
    await anthropicClient(svc).messages.stream(body).finalMessage();
    const label = { user: 'u-3', metadata: { user_id: 'u-3' } };
    expect(await found('user=u-3')).toMatchObject([label, label]);
    expect(await found('metadata[user_id]=u-3')).toHaveLength(2);
  });

  it('are left out beyond their bounds, and never hinder the call', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`name_${String(at)}`, 'x']));
    const metadata = { ok: 'yes', nul: 'a\0b', half: '\ud83d', long: 'x'.repeat(513), ...many };
    const { id } = await complete({ user: 'line\nbreak', metadata });
    const record = await recordOf(id);
    expect(record).toMatchObject({ user: null, metadata: { ok: 'yes', name_0: 'x' } });
    expect(Object.keys(record.metadata)).toHaveLength(16);
    expect(record.metadata).not.toHaveProperty('nul');
  });

  it('of a prompt that is parsed on the second thread are kept too', async () => {
    const { id } = await complete({ metadata: { team: 'huge' } });
    expect((await recordOf(id)).metadata).toEqual({ team: 'huge' });
    const content = 'word '.repeat(80_000);
    await openAiClient(svc).chat.completions.create({
      model,
      max_completion_tokens: 5,
      metadata: { team: 'huge', note: 'x'.repeat(512) },
      messages: [{ role: 'user', content }],
    });
    expect(await found('metadata[team]=huge')).toMatchObject([
      { metadata: { team: 'huge', note: 'x'.repeat(512) } },
      { id },
    ]);
  });
});

describe('usage by the declared tag', () => {
  it('begins with the declaration: earlier calls have none', async () => {
    await complete({ metadata: { team: 'early' } });
    expect((await usage('group_by=tag')).map(({ tag }) => tag)).toEqual([null]);
    await declare('team');
    await untilTagged('later', { metadata: { team: 'later' } });
    expect((await usage('group_by=tag')).map(({ tag }) => tag)).not.toContain('early');
  });

  it('is the sum of what calls at once cost, for each team, and in all what it is without tags', async () => {
    const calls = Array.from({ length: 90 }, (_, at) => (at % 4 === 3 ? null : `team ${String(at % 4)}`));
    const costs = new Map<string, number>();
    const before = await usage('group_by=tag');
    await inParallel(calls, 30, async (team, at) => {
      const text = 'and so on '.repeat(at % 7);
      const body = { model, messages: [{ role: 'user' as const, content: text + 'Hello' }] };
      const answer = await openAiClient(svc).chat.completions.create(
        team === null ? body : { ...body, metadata: { team } },
      );
      const key = String(team);
      costs.set(key, (costs.get(key) ?? 0) + svcOf(answer).cost.customer_nanos);
    });
    const after = await usage('group_by=tag');
    const grown = (tag: string | null) => {
      const [from, to] = [before, after].map(
        (rows) => rows.find((row) => row.tag === tag)?.customer_nanos ?? 0,
      );
      return to! - from!;
    };
    for (const team of ['team 0', 'team 1', 'team 2', null])
      expect(grown(team)).toBe(costs.get(String(team)));
    expect(await usage('group_by=tag&tag=team%201')).toEqual(after.filter(({ tag }) => tag === 'team 1'));
    const sum = (rows: readonly UsageRow[]) => rows.reduce((all, row) => all + row.customer_nanos, 0);
    expect(sum(await usage('group_by=model'))).toBe(sum(after));
  });

  it('can go by the user, and ends when the declaration is taken back', async () => {
    await declare('user');
    await untilTagged('u-9', { user: 'u-9', metadata: { team: 'search' } });
    await declare(null);
    const countOf = async () => (await usage('group_by=tag')).find(({ tag }) => tag === 'u-9')!.requests;
    await eventually(async () => {
      const before = await countOf();
      await complete({ user: 'u-9' });
      expect(await countOf()).toBe(before);
    }, 30_000);
  });

  it('stays where the policy keeps nothing of calls, whose records then have no labels', async () => {
    await declare('team');
    await manage('PUT', '/policy', { retention: 'none' });
    await eventually(async () => {
      const { id } = await complete({ user: 'u-4', metadata: { team: 'secret' } });
      expect(await recordOf(id)).toMatchObject({ user: null, metadata: {} });
      expect(await usage('group_by=tag&tag=secret')).toHaveLength(1);
    }, 30_000);
    await manage('PUT', '/policy', { retention: 'metadata' });
  });
});

describeEmbedded('the metrics', () => {
  const linesOf = async (name: string): Promise<readonly string[]> => {
    const authorization = `Bearer ${await readFile(join(svc.dataDir, 'metrics-token'), 'utf8')}`;
    const text = await (await fetch(`${svc.baseUrl}/metrics`, { headers: { authorization } })).text();
    return text.split('\n').filter((line) => line.startsWith(`${name}{`));
  };
  const valueIn = (line = ''): number => Number(line.split(' ').at(-1));

  it('show what calls cost by model and provider, and each wallet and budget', async () => {
    const { id } = await manage<{ id: string }>('POST', '/budgets', {
      name: 'All',
      scope: 'organization',
      period: 'month',
      amount_nanos: 5_000_000_000,
      action: 'warn',
    });
    await complete({});
    const costs = await linesOf('svc_inference_cost_usd_total');
    const chatCosts = 'gen_ai_provider_name="simulator",gen_ai_request_model="simulator/echo"';
    expect(costs.filter((line) => line.includes(chatCosts))).toHaveLength(1);
    const { balance_nanos } = await manage<{ balance_nanos: number }>('GET', '/wallet');
    const charged = costs.reduce((sum, line) => sum + valueIn(line), 0);
    expect(charged).toBeCloseTo((100_000_000_000 - balance_nanos) / 1e9, 9);
    const [balance] = await linesOf('svc_wallet_balance_usd');
    expect(balance).toContain(`organization_id="${svc.organizationId}"`);
    expect(valueIn(balance)).toBeCloseTo(balance_nanos / 1e9, 9);
    const [limit] = await linesOf('svc_budget_limit_usd');
    expect(limit).toContain(`budget_id="${id}",period="month"`);
    expect(valueIn(limit)).toBe(5);
    expect(valueIn((await linesOf('svc_budget_spent_usd'))[0])).toBeGreaterThan(0);
  });
});
