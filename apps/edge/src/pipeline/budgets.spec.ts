import { openTestDatabase, type TestDatabase } from '@svc/persistence/testing';
import { ScriptedUpstream } from '@svc/testing';
import { type EdgeUnderTest, PRICES, startEdge } from '../testing/edge-under-test';

jest.setTimeout(60_000);

let test: TestDatabase;
let upstream: ScriptedUpstream;
let edge: EdgeUnderTest;
beforeEach(async () => {
  test = await openTestDatabase();
  upstream = await ScriptedUpstream.start();
  edge = await startEdge({ database: test.database, upstreamUrls: [upstream.url] });
});
afterEach(async () => {
  // Whatever is refused, no provider hears of: a call that came unscripted fails the test here.
  await upstream.close();
  await edge.close();
  await test.close();
});

const CHAT = { model: 'acme/small', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] };
/** What 50 tokens cost: more than that is held for such a call, and more than twice that is not. */
const OUTPUT_NANOS = BigInt(50 * PRICES.output);
const chat = (headers: Record<string, string> = {}, body: object = CHAT) =>
  edge.post('/v1/chat/completions', body, { headers });
const answers = (): void => {
  upstream.next((_, response) => {
    const choice = { index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' };
    const usage = { prompt_tokens: 1, completion_tokens: 50 };
    response.end(JSON.stringify({ model: 'small-1', choices: [choice], usage }));
  });
};
const addBudget = (amountNanos: bigint, options: object = {}) =>
  test.database.prisma.budget.create({
    data: {
      id: 'bud_1',
      organizationId: edge.organizationId,
      name: 'Night shift',
      scope: 'organization',
      scopeId: edge.organizationId,
      period: 'month',
      amountNanos,
      action: 'block',
      warnAtBps: 8_000,
      ...options,
    },
  });
const errorOf = async (response: Response) =>
  ((await response.json()) as { error: Record<string, unknown> }).error;
const warningOf = (response: Response) => response.headers.get('svc-budget-warning');

describe('a call that a blocking budget can’t pay', () => {
  it('is 402 budget_exceeded, names the budget, and leaves nothing behind', async () => {
    await addBudget(OUTPUT_NANOS);
    const response = await chat();
    expect(response.status).toBe(402);
    expect(Number(warningOf(response))).toBeGreaterThan(10_000);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(response.headers.has('x-ratelimit-remaining')).toBe(true);
    const error = await errorOf(response);
    expect(error).toMatchObject({
      type: 'insufficient_funds',
      code: 'budget_exceeded',
      param: 'budget',
      retriable: false,
    });
    expect(error['message']).toContain('"Night shift"');
    expect(await test.database.prisma.requestRecord.count()).toBe(0);
    expect(await test.database.prisma.wallet.findFirst()).toMatchObject({ heldNanos: 0n });
  });

  it('is refused before an empty wallet is looked at', async () => {
    await addBudget(0n);
    await test.database.prisma.wallet.updateMany({ data: { balanceNanos: 0n } });
    expect(await errorOf(await chat())).toMatchObject({ code: 'budget_exceeded' });
    await test.database.prisma.budget.deleteMany();
    expect(await errorOf(await chat())).toMatchObject({ code: 'insufficient_funds' });
  });

  it('is served when the client leaves the output to us and the budget pays for less: the provider is told', async () => {
    const { messages, model } = CHAT;
    await addBudget(5_000n * BigInt(PRICES.output));
    answers();
    expect((await chat({}, { model, messages })).status).toBe(200);
    const sent = JSON.parse(upstream.received[0]!.body.toString()) as Record<string, unknown>;
    const told = sent['max_completion_tokens'] ?? sent['max_tokens'];
    expect(told).toBeGreaterThanOrEqual(4_096);
    expect(told).toBeLessThanOrEqual(5_000);
  });
});

describe('Svc-Budget-Warning', () => {
  it('is absent below the threshold', async () => {
    await addBudget(OUTPUT_NANOS * 100n);
    answers();
    expect(warningOf(await chat())).toBeNull();
  });

  it.each([false, true])('stands on a success (stream: %s) of a budget that only warns', async (stream) => {
    await addBudget(0n, { action: 'warn' });
    if (stream) {
      upstream.next((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const choices = [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }];
        const usage = { prompt_tokens: 1, completion_tokens: 1 };
        response.end(`data: ${JSON.stringify({ model: 'small-1', choices, usage })}\n\ndata: [DONE]\n\n`);
      });
    } else answers();
    const response = await chat({}, { ...CHAT, stream });
    await response.text();
    expect(response.status).toBe(200);
    expect(warningOf(response)).toBe('10000');
  });
});

describe('Svc-Session-Id', () => {
  it('names the session that a budget counts, and stays on the record', async () => {
    await addBudget(OUTPUT_NANOS * 2n, { period: 'session' });
    const statusOf = async (headers: Record<string, string>): Promise<number> => (await chat(headers)).status;
    answers();
    expect(await statusOf({ 'Svc-Session-Id': 'chat-1' })).toBe(200);
    expect(await statusOf({ 'Svc-Session-Id': 'chat-1' })).toBe(402);
    answers();
    expect(await statusOf({ 'Svc-Session-Id': 'chat-2' })).toBe(200);
    answers();
    expect(await statusOf({})).toBe(200);
    const records = await test.database.prisma.requestRecord.findMany({ orderBy: { id: 'asc' } });
    expect(records.map(({ sessionId }) => sessionId)).toEqual(['chat-1', 'chat-2', null]);
  });

  it.each([
    ['nothing', ''],
    ['a space', 'chat 1'],
    ['129 characters', 'x'.repeat(129)],
    ['what is not ASCII', 'caf\u00e9'],
  ])('of %s is 400 and names the header', async (_, value) => {
    const response = await chat({ 'Svc-Session-Id': value });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: 'invalid_request', param: 'Svc-Session-Id' });
  });

  it('may have 128 visible characters', async () => {
    answers();
    expect((await chat({ 'Svc-Session-Id': '~'.repeat(128) })).status).toBe(200);
  });
});
