import { eventually } from '@svc/testing';
import { completes } from '../testing/answers';
import { CHAT, PRICES } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const world = edgeWorld();

const chat = (headers: Record<string, string> = {}, body: object = {}) =>
  world.edge.post('/v1/chat/completions', { ...CHAT, ...body }, { headers });
const answer = (): void => {
  world.upstream.next(completes(1, 50));
};
const errorOf = async (response: Response) =>
  ((await response.json()) as { error: Record<string, unknown> }).error;

/** Whom the records name, the oldest first, once all are settled. */
const recorded = (count: number) =>
  eventually(async () => {
    const rows = await world.database.prisma.requestRecord.findMany({ orderBy: { id: 'asc' } });
    expect(rows.filter(({ status }) => status === 'succeeded')).toHaveLength(count);
    return rows.map(({ endUser, endUserId }) => ({ endUser, endUserId }));
  });

describe('the end user of a call', () => {
  beforeEach(() => world.start());

  it('is that of the header, else of the body, and has one id however they are named', async () => {
    for (const [headers, body] of [
      [{ 'Svc-End-User': 'ana' }, { user: 'ben' }],
      [{ 'Svc-End-User': '' }, { user: 'ana' }],
      [{}, { safety_identifier: 'ana', user: 'ben' }],
      [{}, { user: 'ben' }],
      [{}, {}],
    ] as const) {
      answer();
      expect((await chat(headers as Record<string, string>, body)).status).toBe(200);
    }
    const [first, second, third, other, nobody] = await recorded(5);
    expect(first!.endUserId).toMatch(/^eu_[0-9a-hjkmnp-tv-z]{26}$/);
    expect([first, second, third].map((row) => row!.endUser)).toEqual(['ana', 'ana', 'ana']);
    expect(new Set([first, second, third].map((row) => row!.endUserId)).size).toBe(1);
    expect(other!.endUserId).not.toBe(first!.endUserId);
    expect(nobody).toEqual({ endUser: null, endUserId: null });
    for (const { headers } of world.upstream.received) expect(headers).not.toHaveProperty('svc-end-user');
  });

  it.each(['a b', 'a'.repeat(257), 'é'])('is refused as %j in the header', async (name) => {
    const response = await chat({ 'Svc-End-User': name });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: 'invalid_request', param: 'Svc-End-User' });
  });

  it('has an amount of a budget of each, and the refusal names the budget, never the person', async () => {
    await world.addBudget(BigInt(120 * PRICES.output), { scope: 'end_user', scopeId: '*' });
    answer();
    expect((await chat({}, { user: 'ana@example.com' })).status).toBe(200);
    await recorded(1);
    answer();
    expect((await chat({}, { user: 'ben@example.com' })).status).toBe(200);
    await recorded(2);
    answer();
    await chat({}, { user: 'ana@example.com' });
    const response = await chat({}, { user: 'ana@example.com' });
    expect(response.status).toBe(402);
    const { message, param } = await errorOf(response);
    expect([param, message]).toEqual(['budget', expect.stringContaining('"Night shift"')]);
    expect(message).not.toMatch(/ana|eu_/);
  });

  it('belongs to what an idempotency key stands for', async () => {
    answer();
    const keyed = (endUser: string) => chat({ 'Idempotency-Key': 'k1', 'Svc-End-User': endUser });
    expect((await keyed('ana')).status).toBe(200);
    await recorded(1);
    expect((await keyed('ana')).headers.get('idempotency-replayed')).toBe('true');
    expect((await keyed('ben')).status).toBe(409);
  });

  it('is counted in the usage of the day, once the call has ended', async () => {
    answer();
    await chat({}, { user: 'ana' });
    const [row] = await recorded(1);
    const usage = await world.database.prisma.usageEndUser.findMany();
    expect(usage).toMatchObject([
      { endUserId: row!.endUserId, endUser: 'ana', requestCount: 1n, outputTokens: 50n },
    ]);
  });
});

describe('a policy', () => {
  it('that keeps nothing keeps no name, and budgets count by the id all the same', async () => {
    await world.start();
    await world.writePolicy({ retention: 'none' });
    await world.addBudget(BigInt(10_000 * PRICES.output), { scope: 'end_user', scopeId: '*' });
    const names = Array.from({ length: 20 }, (_, at) => `planted-${String(at)}@example.com`);
    for (const [at, name] of names.entries()) {
      answer();
      const named = at % 2 === 0 ? chat({ 'Svc-End-User': name }) : chat({}, { user: name });
      expect((await named).status).toBe(200);
    }
    await recorded(names.length);
    const { rows } = await world.database.pool.query<{ table: string }>(
      `SELECT relname AS table FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    for (const { table } of rows) {
      const found = await world.database.pool.query(
        `SELECT FROM ${table} t WHERE t::text LIKE '%planted-%' LIMIT 1`,
      );
      expect([table, found.rowCount]).toEqual([table, 0]);
    }
    expect(await world.database.prisma.budgetSpend.count()).toBe(names.length);
  });

  it('can require an end user: of every call, before a replay', async () => {
    await world.start();
    answer();
    expect((await chat({ 'Idempotency-Key': 'k1' })).status).toBe(200);
    await recorded(1);
    await world.writePolicy({ require_end_user: true });
    await eventually(async () => {
      const response = await chat({ 'Idempotency-Key': 'k1' });
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toMatchObject({ code: 'invalid_request', param: 'Svc-End-User' });
    });
    answer();
    expect((await chat({}, { user: 'ana' })).status).toBe(200);
  });
});
