import { eventually } from '@svc/testing';
import { answersJson, completes } from '../testing/answers';
import { CHAT, MODEL, PRICES } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const world = edgeWorld();
/** Of a call whose answer uses 2 prompt tokens and 10 tokens of output. */
const CATALOG_NANOS = BigInt(2 * PRICES.input + 10 * PRICES.output);

interface Cost {
  readonly customer_nanos: number;
  readonly provider_nanos?: number;
}

/** Two providers of one model, the first with a credential of the organization, the second with one of the platform. */
async function start(
  more: { creditNanos?: bigint; prices?: { priceBps: number; ownCredentialBps: number } } = {},
) {
  const providers = ['acme', 'backup'].map((name) => ({
    name,
    protocol: 'openai',
    base_url: `${world.upstream.url}/v1`,
    credential_env: name === 'backup' ? 'BACKUP_KEY' : 'ACME_KEY',
  }));
  const endpoints = providers.map(({ name }) => ({
    ...{ model: MODEL.id, provider: name, upstream_model: 'small-1', region: 'eu' },
    ...{ data_retention: 'zero', operations: ['chat_completions'], prices: PRICES },
  }));
  await world.start({
    catalog: JSON.stringify({ providers, models: [{ ...MODEL, display_name: 'Small' }], endpoints }),
    environment: { BACKUP_KEY: 'sk-of-the-platform' },
    ...more,
  });
  await world.storeCredential('acme', 'cred_1', 'sk-of-the-organization');
}

const answers = (): void => {
  world.upstream.next(completes(2, 10));
};
const chat = (body: object = CHAT) => world.edge.post('/v1/chat/completions', body);
const costOf = async (response: Response): Promise<Cost> =>
  ((await response.json()) as { svc: { cost: Cost } }).svc.cost;
const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { error: { code: string } }).error.code;
const wallet = () => world.database.prisma.wallet.findFirstOrThrow();
const lastRecord = () => world.database.prisma.requestRecord.findFirstOrThrow({ orderBy: { id: 'desc' } });
const usage = () => world.database.prisma.usageDay.findFirstOrThrow();

describe('a call on the organization’s own credential', () => {
  it('takes nothing from the wallet by default, and says what the own account pays', async () => {
    await start();
    const { balanceNanos } = await wallet();
    answers();
    expect(await costOf(await chat())).toEqual({
      customer_nanos: 0,
      provider_nanos: Number(CATALOG_NANOS),
      state: 'final',
    });
    expect(await wallet()).toMatchObject({ balanceNanos, heldNanos: 0n });
    expect(await world.database.prisma.ledgerTransfer.count({ where: { kind: 'charge' } })).toBe(0);
    expect(await lastRecord()).toMatchObject({ customerNanos: 0n, providerNanos: CATALOG_NANOS });
    expect(await usage()).toMatchObject({
      customerNanos: 0n,
      providerNanos: CATALOG_NANOS,
      uncountedNanos: 0n,
    });
  });

  it('costs what the operator set: rounded up once, in the record too', async () => {
    await start({ prices: { priceBps: 10_000, ownCredentialBps: 333 } });
    answers();
    const { customer_nanos } = await costOf(await chat());
    expect(BigInt(customer_nanos)).toBe((CATALOG_NANOS * 333n + 9_999n) / 10_000n);
    expect((await lastRecord()).explanation).toMatchObject({ price_bps: 333 });
  });

  it('is answered where the wallet is empty', async () => {
    await start({ creditNanos: 0n });
    answers();
    expect((await chat()).status).toBe(200);
    expect(await wallet()).toMatchObject({ balanceNanos: 0n, heldNanos: 0n });
  });

  it('does not fall over to the platform’s credential where the wallet is empty', async () => {
    await start({ creditNanos: 0n });
    world.upstream.next(answersJson({ error: {} }, 500));
    expect((await chat()).status).toBe(502);
    expect(world.upstream.received).toHaveLength(1);
  });

  it('counts in budgets by what the own account pays, and stops at it', async () => {
    await start({ creditNanos: 0n });
    await world.addBudget(3n * CATALOG_NANOS + 5_000n);
    for (let call = 0; call < 2; call++) {
      answers();
      expect((await chat()).status).toBe(200);
    }
    const spends = await world.database.prisma.budgetSpend.findFirstOrThrow();
    expect(spends).toMatchObject({ spentNanos: 2n * CATALOG_NANOS, reservedNanos: 0n });
    await world.database.prisma.budget.updateMany({ data: { amountNanos: 2n * CATALOG_NANOS + 1n } });
    const refused = await chat();
    expect([refused.status, await codeOf(refused)]).toEqual([402, 'budget_exceeded']);
  });

  it('is told the limit that its budget covers', async () => {
    await start({ creditNanos: 0n });
    await world.addBudget(5_000n * BigInt(PRICES.output));
    answers();
    const { messages, model } = CHAT;
    expect((await chat({ model, messages })).status).toBe(200);
    const sent = JSON.parse(world.upstream.received[0]!.body.toString()) as Record<string, unknown>;
    const told = sent['max_completion_tokens'] ?? sent['max_tokens'];
    expect(told).toBeGreaterThanOrEqual(4_096);
    expect(told).toBeLessThanOrEqual(5_000);
  });

  it('costs both together at most what the policy allows', async () => {
    await start();
    await world.writePolicy({ max_cost_nanos: 4_000 } as object);
    const refused = await chat();
    expect([refused.status, await codeOf(refused)]).toEqual([402, 'budget_exceeded']);
  });
});

describe('a call that falls over to the platform’s credential', () => {
  it('pays exactly the platform’s part, at the price of the organization', async () => {
    await start({ prices: { priceBps: 11_550, ownCredentialBps: 0 } });
    const { balanceNanos } = await wallet();
    world.upstream.next(answersJson({ error: {} }, 500));
    answers();
    const charged = (CATALOG_NANOS * 11_550n + 9_999n) / 10_000n;
    expect(await costOf(await chat())).toEqual({ customer_nanos: Number(charged), state: 'final' });
    expect(await wallet()).toMatchObject({ balanceNanos: balanceNanos - charged, heldNanos: 0n });
    expect(await lastRecord()).toMatchObject({ customerNanos: charged, providerNanos: 0n });
  });
});

describe('a call on the platform’s credential', () => {
  it('is 402 where the wallet is empty', async () => {
    await start({ creditNanos: 0n });
    await world.writePolicy({ credential_mode: 'platform_only' });
    const refused = await chat();
    expect([refused.status, await codeOf(refused)]).toEqual([402, 'insufficient_funds']);
    expect(world.upstream.received).toHaveLength(0);
  });

  it('costs another price from the next hold on, once the operator changes it', async () => {
    await start();
    await world.writePolicy({ credential_mode: 'platform_only' });
    answers();
    expect(await costOf(await chat())).toMatchObject({ customer_nanos: Number(CATALOG_NANOS) });
    await world.database.prisma.organization.updateMany({ data: { priceBps: 9_001 } });
    const charged = Number((CATALOG_NANOS * 9_001n + 9_999n) / 10_000n);
    await eventually(async () => {
      answers();
      expect(await costOf(await chat())).toMatchObject({ customer_nanos: charged });
    });
  });
});
