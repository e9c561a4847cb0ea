import { completes } from '../testing/answers';
import { MODEL, PRICES } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const world = edgeWorld();

const CHAT = { model: MODEL.id, messages: [{ role: 'user', content: 'Hi' }] };
const chat = (more: object = {}) => world.edge.post('/v1/chat/completions', { ...CHAT, ...more });
const wallet = () => world.database.prisma.wallet.findFirstOrThrow();
const onlyRecord = () => world.database.prisma.requestRecord.findFirstOrThrow();
const transfers = () =>
  world.database.prisma.ledgerTransfer.findMany({
    where: { requestId: { not: null } },
    orderBy: { kind: 'asc' },
    select: { kind: true, debitAccount: true, creditAccount: true, amountNanos: true },
  });
const limitTold = (): number => {
  const body = JSON.parse(world.upstream.received.at(-1)!.body.toString()) as {
    max_completion_tokens?: number;
  };
  return body.max_completion_tokens ?? NaN;
};

describe('a call without a limit of its own', () => {
  it('holds what the model can produce, and its provider is sent no limit', async () => {
    await world.start({ creditNanos: 10_000_000n });
    world.upstream.next(completes(7, 5));
    await (await chat()).text();
    expect((await onlyRecord()).heldNanos).toBeGreaterThan(BigInt(MODEL.max_output_tokens * PRICES.output));
    expect(limitTold()).toBeNaN();
  });

  it('holds as much as the wallet can pay, and its provider is sent the limit that this covers', async () => {
    const credit = BigInt(6_000 * PRICES.output);
    await world.start({ creditNanos: credit });
    world.upstream.next(completes(7, 5));
    await (await chat()).text();
    const { heldNanos } = await onlyRecord();
    expect(heldNanos).toBe(credit);
    const limit = limitTold();
    expect(limit).toBeGreaterThanOrEqual(4_096);
    expect(limit).toBeLessThan(6_000);
    // The prompt is at most a token a byte.
    const promptMax = JSON.stringify(CHAT).length;
    expect(BigInt(limit * PRICES.output + promptMax * PRICES.input)).toBeLessThanOrEqual(credit);
    expect(BigInt((limit + 1) * PRICES.output + promptMax * PRICES.input)).toBeGreaterThan(credit);
  });

  it('is refused by a wallet that could not pay for 4096 tokens', async () => {
    await world.start({ creditNanos: BigInt(4_096 * PRICES.output) });
    expect((await chat()).status).toBe(402);
    expect(world.upstream.received).toEqual([]);
  });
});

describe('a provider that reports more than it was allowed', () => {
  it('is paid by the platform for what exceeds the hold, and the call needs reconciliation', async () => {
    await world.start({ creditNanos: 1_000_000n });
    world.upstream.next(completes(7, 5_000));
    const response = await chat({ max_tokens: 10 });
    const record = await onlyRecord();
    const held = record.heldNanos;
    expect(await response.json()).toMatchObject({
      svc: { cost: { customer_nanos: Number(held), state: 'final' } },
    });
    expect(record).toMatchObject({ status: 'succeeded', customerNanos: held });
    expect(await transfers()).toEqual([
      expect.objectContaining({ kind: 'charge', amountNanos: held, creditAccount: 'platform:revenue' }),
      {
        kind: 'overrun',
        debitAccount: 'platform:loss',
        creditAccount: 'platform:revenue',
        amountNanos: 7n * 10n + 5_000n * 100n - held,
      },
    ]);
    expect(await wallet()).toMatchObject({ balanceNanos: 1_000_000n - held, heldNanos: 0n });
    const { payload } = await world.database.prisma.outboxEvent.findFirstOrThrow({
      where: { type: 'request.reconciliation_required' },
    });
    expect(JSON.parse(payload)).toMatchObject({ data: { request_id: record.id, reason: 'hold_exceeded' } });
  });
});

describe('a wallet', () => {
  it('admits only the calls that it can pay, and never falls below zero', async () => {
    const perCall = BigInt(
      10 * PRICES.output + JSON.stringify({ ...CHAT, max_tokens: 10 }).length * PRICES.input,
    );
    await world.start({ creditNanos: perCall * 5n });
    // Each takes all it may, and reports more.
    const started: (() => void)[] = [];
    for (let call = 0; call < 5; call++) {
      world.upstream.next(async (_, response) => {
        await new Promise<void>((resolve) => {
          started.push(resolve);
          if (started.length === 5) for (const go of started) go();
        });
        const choice = { index: 0, message: { role: 'assistant', content: 'Hello' } };
        response.end(
          JSON.stringify({ choices: [choice], usage: { prompt_tokens: 9_999, completion_tokens: 9_999 } }),
        );
      });
    }
    const responses = await Promise.all(Array.from({ length: 20 }, () => chat({ max_tokens: 10 })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 402)).toHaveLength(15);
    expect(await wallet()).toMatchObject({ balanceNanos: 0n, heldNanos: 0n });
    const { rows } = await world.database.pool.query(
      'SELECT sum(amount_nanos)::text AS sum FROM ledger_entries',
    );
    expect(rows).toEqual([{ sum: '0' }]);
  });
});

describe('a call that no provider answered', () => {
  it('is charged nothing and says why', async () => {
    await world.start({ creditNanos: 1_000_000n });
    world.upstream.next((_, response) => void response.writeHead(500).end());
    expect((await chat({ max_tokens: 10 })).status).toBe(502);
    expect(await onlyRecord()).toMatchObject({
      status: 'failed',
      httpStatus: 502,
      errorCode: 'provider_error',
      customerNanos: 0n,
      costState: 'final',
      attempts: [{ provider: 'upstream-1', region: 'eu', status: 500, error: 'provider_error' }],
    });
    expect(await wallet()).toMatchObject({ balanceNanos: 1_000_000n, heldNanos: 0n });
    expect(await transfers()).toEqual([]);
  });
});
