import { eventually, inParallel } from '@svc/testing';
import { catalogOf, testModel, testPrices, type CatalogDocument } from './harness/catalog-file';
import { directed, post, type ErrorBody, type SvcAdditions } from './harness/clients';
import { sleep } from './harness/sleep';
import { billedOfChat, billedOfMessage, expectedCharge } from './harness/expected-charge';
import { openLedgerAudit, type LedgerAudit } from './harness/ledger-audit';
import { framesOf } from './harness/stream-frames';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

type Usage = Parameters<typeof billedOfChat>[0] & Parameters<typeof billedOfMessage>[0];

interface Kind {
  readonly path: '/v1/chat/completions' | '/v1/messages';
  readonly status: number;
  /** The client gets an answer in full, with its cost. */
  readonly complete: boolean;
  /** Is sent upstream, so it leaves a record. */
  readonly recorded: boolean;
  readonly body: (index: number) => object;
}

const chat = '/v1/chat/completions';
const messages = '/v1/messages';
const answered = { status: 200, complete: true, recorded: true };
const tool = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

const call = (index: number, directive: Record<string, unknown> = {}, more: object = {}) => ({
  model: testModel,
  max_tokens: 40 + (index % 17),
  messages: [directed(directive, `Call ${String(index)} ${'and so on '.repeat(index % 23)}`)],
  ...more,
});

/**
 * Calls with cut streams use models of their own, at most three such calls per model. So no circuit opens, whatever the
 * order of their ends (docs/reference/models-and-catalog.md#circuits), which would refuse the calls after.
 */
const CUT_MODELS = 15;
const cutModel = (at: number): string => `test/cut-${String(at % CUT_MODELS)}`;
const cutCall = (index: number) => ({
  ...call(index, { reply_words: 30, cut_after: 8 }, { stream: true }),
  model: cutModel(Math.floor(index / kinds.length)),
});
function withCutModels({ providers, models, endpoints }: CatalogDocument): CatalogDocument {
  const ids = [testModel, ...Array.from({ length: CUT_MODELS }, (_, at) => cutModel(at))];
  return {
    providers,
    models: ids.flatMap((id) => models.map((model) => ({ ...model, id }))),
    endpoints: ids.flatMap((model) => endpoints.map((endpoint) => ({ ...endpoint, model }))),
  };
}

/** The kinds of the 500 calls. */
const kinds: readonly Kind[] = [
  { path: chat, ...answered, body: (index) => call(index) },
  { path: messages, ...answered, body: (index) => call(index) },
  {
    path: chat,
    ...answered,
    body: (index) => call(index, {}, { stream: true, stream_options: { include_usage: true } }),
  },
  { path: messages, ...answered, body: (index) => call(index, {}, { stream: true }) },
  {
    path: chat,
    ...answered,
    body: (index) => call(index, { cached_tokens: 3, cache_write_tokens: index % 5 }),
  },
  {
    path: messages,
    ...answered,
    body: (index) => call(index, { cached_tokens: 3, cache_write_tokens: index % 5 }),
  },
  {
    path: chat,
    ...answered,
    body: (index) =>
      call(
        index,
        {},
        {
          tools: [{ type: 'function', function: { name: 'look', parameters: tool } }],
          tool_choice: 'required',
        },
      ),
  },
  {
    path: messages,
    ...answered,
    body: (index) =>
      call(
        index,
        {},
        { stream: true, tools: [{ name: 'look', input_schema: tool }], tool_choice: { type: 'any' } },
      ),
  },
  {
    path: chat,
    status: 200,
    complete: false,
    recorded: true,
    body: cutCall,
  },
  {
    path: messages,
    status: 200,
    complete: false,
    recorded: true,
    body: cutCall,
  },
  {
    path: chat,
    status: 400,
    complete: false,
    recorded: true,
    body: (index) => call(index, { status: 400, error_message: 'No.' }),
  },
  {
    path: messages,
    status: 404,
    complete: false,
    recorded: false,
    body: (index) => ({ ...call(index), model: 'none/such' }),
  },
  {
    path: chat,
    status: 400,
    complete: false,
    recorded: false,
    body: (index) => ({ ...call(index), nonsense: true }),
  },
];

describe('the wallet', () => {
  it('pays for 500 mixed calls, 50 at a time, exactly usage times price', async () => {
    const svc = await sharedSvc({ catalog: (url) => withCutModels(catalogOf({ name: 'wallet', url })) });
    const audit = await openLedgerAudit(svc);
    await audit.raiseKeyLimits();
    const results = await inParallel(Array.from({ length: 500 }), 50, (_, index) => {
      const kind = kinds[index % kinds.length]!;
      return run(svc, kind, index);
    });

    await eventually(async () => {
      expect((await audit.books()).heldNanos).toBe(0n);
    });
    const recorded = new Map((await audit.calls()).map((record) => [record.id, record]));
    const charges = await audit.charges();
    for (const { id, kind, cost, usage } of results) {
      const record = recorded.get(id);
      expect({ id, path: kind.path, recorded: record !== undefined }).toMatchObject({
        recorded: kind.recorded,
      });
      if (record === undefined) continue;
      expect(record.status).not.toBe('pending');
      // The charge is for the usage of the record, for cut streams too.
      const charge = expectedCharge(record.billed, testPrices);
      expect(record.customerNanos + record.overrunNanos).toBe(charge);
      expect(charges.get(id) ?? []).toEqual(record.customerNanos === 0n ? [] : [record.customerNanos]);
      if (!kind.complete) continue;
      const billed = kind.path === chat ? billedOfChat(usage!) : billedOfMessage(usage!);
      expect(record).toMatchObject({ status: 'succeeded', costState: 'final', customerNanos: BigInt(cost!) });
      expect(cost).toBe(Number(expectedCharge(billed, testPrices)));
    }
    expect(recorded.size).toBe(results.filter(({ kind }) => kind.recorded).length);
    await expectBalancedBooks(audit);
    await audit.close();
  });

  it('refuses an organization without credit: nothing is sent, nothing recorded', async () => {
    const svc = await sharedSvc({ catalog: (url) => catalogOf({ name: 'poor', url }), creditNanos: 0n });
    for (const path of [chat, messages])
      for (const stream of [false, true]) {
        const response = await post(svc, path, call(1, {}, { stream }));
        expect(response.status).toBe(402);
        expect(response.headers.get('x-should-retry')).toBe('false');
        const { error } = (await response.json()) as ErrorBody;
        expect(error).toMatchObject({
          type: 'insufficient_funds',
          code: 'insufficient_funds',
          retriable: false,
        });
      }
    expect(await svc.simulator.journal()).toEqual([]);
    const audit = await openLedgerAudit(svc);
    expect(await audit.calls()).toEqual([]);
    expect(await audit.books()).toMatchObject({ balanceNanos: 0n, heldNanos: 0n, chargedNanos: 0n });
    await audit.close();
  });

  it('that can pay for 20 of 200 concurrent calls lets exactly 20 run', async () => {
    // Longer than a busy machine takes for all calls to come: what one leaves of its hold would pay for another.
    const slow = call(16, { delay_ms: 20_000 });
    const rich = await sharedSvc({ catalog: (url) => catalogOf({ name: 'held', url }) });
    const hold = await holdOf(rich, slow);
    await rich.simulator.clearJournal();
    const svc = await rich.withOtherOrganization(20n * hold + hold - 1n);
    const audit = await openLedgerAudit(svc);
    const lowest = watchAvailable(audit);

    const responses = await Promise.all(Array.from({ length: 200 }, () => post(svc, chat, slow)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 402)).toHaveLength(180);
    expect(await svc.simulator.journal()).toHaveLength(20);

    expect(await lowest.stop()).toBeGreaterThanOrEqual(0n);
    await eventually(async () => {
      expect((await audit.books()).heldNanos).toBe(0n);
    });
    expect(await audit.calls()).toHaveLength(20);
    await expectBalancedBooks(audit);
    await audit.close();
  });

  /** The hold of such a call, measured on a wallet that can pay it. */
  async function holdOf(svc: SharedSvc, body: object): Promise<bigint> {
    const audit = await openLedgerAudit(svc);
    const leave = new AbortController();
    const running = post(svc, chat, body, { signal: leave.signal });
    const hold = await eventually(async () => {
      const { heldNanos } = await audit.books();
      expect(heldNanos).toBeGreaterThan(0n);
      return heldNanos;
    });
    leave.abort();
    await expect(running).rejects.toThrow();
    await eventually(async () => {
      expect(await svc.simulator.journal()).toHaveLength(1);
    });
    await audit.close();
    return hold;
  }
});

/** Sends one call and reads its answer to the end, however it ends. */
async function run(svc: SharedSvc, kind: Kind, index: number) {
  const response = await post(svc, kind.path, kind.body(index));
  const id = response.headers.get('x-request-id') ?? '';
  expect({ index, path: kind.path, status: response.status }).toMatchObject({ status: kind.status });
  const text = await response.text();
  if (!kind.complete) {
    expect(text).toContain('"error"');
    return { id, kind };
  }
  const frames = text.startsWith('{') ? [JSON.parse(text) as Record<string, unknown>] : framesOf(text);
  const usage = Object.assign({}, ...frames.map(usageIn)) as Usage;
  const svcObject = frames.findLast((frame) => 'svc' in frame)?.svc as SvcAdditions;
  return { id, kind, usage, cost: svcObject.cost.customer_nanos };
}

/** Counters are cumulative: those of a later frame replace earlier ones. */
function usageIn(frame: Record<string, unknown>): object {
  const start = frame.message as { usage?: object } | undefined;
  return start?.usage ?? (frame.usage as object | null) ?? {};
}

async function expectBalancedBooks(audit: LedgerAudit): Promise<void> {
  const books = await audit.books();
  const recorded = (await audit.calls()).reduce((sum, record) => sum + record.customerNanos, 0n);
  expect(books.heldNanos).toBe(0n);
  expect(books.allEntriesNanos).toBe(0n);
  expect(books.walletEntriesNanos).toBe(books.balanceNanos);
  expect(books.chargedNanos).toBe(recorded);
  expect(books.balanceNanos).toBe(books.creditedNanos - books.chargedNanos);
}

/** Polls the wallet; `stop` returns the lowest available amount seen. */
function watchAvailable(audit: LedgerAudit): { stop(): Promise<bigint> } {
  let running = true;
  const watching = (async () => {
    let lowest: bigint | undefined;
    while (running) {
      const { balanceNanos, heldNanos } = await audit.books();
      const available = balanceNanos - heldNanos;
      if (lowest === undefined || available < lowest) lowest = available;
      await sleep(10);
    }
    return lowest ?? -1n;
  })();
  return {
    stop: () => {
      running = false;
      return watching;
    },
  };
}
