import { eventually } from '@svc/testing';
import { catalogOf, testModel, testPrices } from './harness/catalog-file';
import { directed, openAiClient, post } from './harness/clients';
import { expectedCharge } from './harness/expected-charge';
import { openLedgerAudit, type LedgerAudit } from './harness/ledger-audit';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const ROUTES = ['/v1/chat/completions', '/v1/messages'] as const;

const call = (directive: Record<string, unknown>, stream: boolean) => ({
  model: testModel,
  max_tokens: 2000,
  messages: [directed(directive, 'A long answer, please')],
  stream,
});

describe('a client that disconnects', () => {
  let svc: SharedSvc;
  let audit: LedgerAudit;

  beforeAll(async () => {
    svc = await sharedSvc({ catalog: (url) => catalogOf({ name: 'left', url }) });
    audit = await openLedgerAudit(svc);
  });
  beforeEach(() => svc.simulator.clearJournal());
  afterAll(() => audit.close());

  const upstreamWasInterrupted = () =>
    eventually(async () => {
      expect(await svc.simulator.journal()).toMatchObject([{ outcome: 'interrupted' }]);
    });

  const nothingIsHeld = () =>
    eventually(async () => {
      expect((await audit.books()).heldNanos).toBe(0n);
    });

  it.each(ROUTES)(
    'in the middle of a stream on %s cancels it upstream and pays for what was seen',
    async (route) => {
      const leave = new AbortController();
      const response = await post(svc, route, call({ reply_words: 500, chunk_delay_ms: 50 }, true), {
        signal: leave.signal,
      });
      const reader = response.body!.getReader();
      for (let chunks = 0; chunks < 6; chunks++) await reader.read();
      leave.abort();
      await reader.closed.catch(() => undefined);

      await upstreamWasInterrupted();
      await nothingIsHeld();
      const id = response.headers.get('x-request-id');
      const record = (await audit.calls()).find((candidate) => candidate.id === id)!;
      expect(record).toMatchObject({ status: 'cancelled', costState: 'provisional' });
      expect(record.billed.output).toBeGreaterThan(0);
      expect(record.billed.output).toBeLessThan(500);
      expect(record.customerNanos).toBe(expectedCharge(record.billed, testPrices));
      expect(record.customerNanos).toBeLessThan(record.heldNanos);
      expect((await audit.charges()).get(record.id)).toEqual([record.customerNanos]);
    },
  );

  it.each(ROUTES)('while a plain call on %s waits cancels it upstream and holds nothing', async (route) => {
    const leaving = post(svc, route, call({ delay_ms: 20_000 }, false), { signal: AbortSignal.timeout(700) });
    await expect(leaving).rejects.toThrow();
    await upstreamWasInterrupted();
    await nothingIsHeld();
    const record = (await audit.calls()).at(-1)!;
    expect(['cancelled', 'reconciliation_required']).toContain(record.status);
    expect(record.customerNanos).toBe(0n);
  });

  it('through the SDK’s own abort cancels the call upstream', async () => {
    const stream = await openAiClient(svc).chat.completions.create({
      ...call({ reply_words: 500, chunk_delay_ms: 50 }, true),
      stream: true,
    });
    let chunks = 0;
    for await (const _ of stream) if (++chunks === 5) break;
    await upstreamWasInterrupted();
    await nothingIsHeld();
  });

  it('ten times in a row opens no circuit', async () => {
    for (let times = 0; times < 10; times++) {
      const signal = AbortSignal.timeout(150);
      await expect(post(svc, ROUTES[0], call({ delay_ms: 5000 }, false), { signal })).rejects.toThrow();
    }
    expect((await post(svc, ROUTES[0], call({}, false))).status).toBe(200);
    await nothingIsHeld();
  });
});
