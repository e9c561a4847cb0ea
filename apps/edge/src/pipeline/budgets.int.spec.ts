import { completes } from '../testing/answers';
import { CHAT, PRICES } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const world = edgeWorld();
beforeEach(() => world.start());

/** The cost of 50 tokens. The hold of such a call is between once and twice that. */
const OUTPUT_NANOS = BigInt(50 * PRICES.output);
const chat = (headers: Record<string, string> = {}, body: object = CHAT) =>
  world.edge.post('/v1/chat/completions', body, { headers });
const answers = (): void => {
  world.upstream.next(completes(1, 50));
};
const errorOf = async (response: Response) =>
  ((await response.json()) as { error: Record<string, unknown> }).error;
const warningOf = (response: Response) => response.headers.get('svc-budget-warning');

describe('a call that a blocking budget cannot pay', () => {
  it('is 402 budget_exceeded, names the budget, and leaves nothing behind', async () => {
    await world.addBudget(OUTPUT_NANOS);
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
    expect(await world.database.prisma.requestRecord.count()).toBe(0);
    expect(await world.database.prisma.wallet.findFirst()).toMatchObject({ heldNanos: 0n });
  });

  it('is refused before an empty wallet is checked', async () => {
    await world.addBudget(0n);
    await world.database.prisma.wallet.updateMany({ data: { balanceNanos: 0n } });
    expect(await errorOf(await chat())).toMatchObject({ code: 'budget_exceeded' });
    await world.database.prisma.budget.deleteMany();
    expect(await errorOf(await chat())).toMatchObject({ code: 'insufficient_funds' });
  });

  it('is served when the client sets no limit and the budget pays for less: the provider is sent a limit', async () => {
    const { messages, model } = CHAT;
    await world.addBudget(5_000n * BigInt(PRICES.output));
    answers();
    expect((await chat({}, { model, messages })).status).toBe(200);
    const sent = JSON.parse(world.upstream.received[0]!.body.toString()) as Record<string, unknown>;
    const told = sent['max_completion_tokens'] ?? sent['max_tokens'];
    expect(told).toBeGreaterThanOrEqual(4_096);
    expect(told).toBeLessThanOrEqual(5_000);
  });
});

describe('Svc-Budget-Warning', () => {
  it('is absent below the threshold', async () => {
    await world.addBudget(OUTPUT_NANOS * 100n);
    answers();
    expect(warningOf(await chat())).toBeNull();
  });

  it.each([false, true])('stands on a success (stream: %s) of a budget that only warns', async (stream) => {
    await world.addBudget(0n, { action: 'warn' });
    if (stream) {
      world.upstream.next((_, response) => {
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
    await world.addBudget(OUTPUT_NANOS * 2n, { period: 'session' });
    const statusOf = async (headers: Record<string, string>): Promise<number> => (await chat(headers)).status;
    answers();
    expect(await statusOf({ 'Svc-Session-Id': 'chat-1' })).toBe(200);
    expect(await statusOf({ 'Svc-Session-Id': 'chat-1' })).toBe(402);
    answers();
    expect(await statusOf({ 'Svc-Session-Id': 'chat-2' })).toBe(200);
    answers();
    expect(await statusOf({})).toBe(200);
    const records = await world.database.prisma.requestRecord.findMany({ orderBy: { id: 'asc' } });
    expect(records.map(({ sessionId }) => sessionId)).toEqual(['chat-1', 'chat-2', null]);
  });

  it('is what a coding agent names where the caller names none', async () => {
    await world.addBudget(OUTPUT_NANOS * 2n, { period: 'session' });
    answers();
    expect((await chat({ session_id: 'agent-1', 'Svc-Session-Id': '' })).status).toBe(200);
    expect((await chat({ session_id: 'agent-1', 'x-session-id': 'agent-2' })).status).toBe(402);
    answers();
    expect((await chat({ session_id: 'agent 1', 'x-session-id': 'agent-2' })).status).toBe(200);
    const records = await world.database.prisma.requestRecord.findMany({ orderBy: { id: 'asc' } });
    expect(records.map(({ sessionId }) => sessionId)).toEqual(['agent-1', 'agent-2']);
  });

  it.each([
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
