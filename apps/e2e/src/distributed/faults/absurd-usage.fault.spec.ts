import { ScriptedUpstream } from '@svc/testing';
import { catalogOf, testModel, testPrices } from '../../harness/catalog-file';
import { post, svcOf } from '../../harness/clients';
import { rowsOf } from '../../harness/database-session';
import { expectedCharge } from '../../harness/expected-charge';
import { startInstallation, type Installation } from '../../harness/installation';
import { openLedgerAudit, type LedgerAudit } from '../../harness/ledger-audit';
import { endedWell, framesOf } from '../../harness/stream-frames';
import { expectBooksHold } from '../invariants';
import { CHAT, MESSAGES } from '../lanes';
import { expectBalanced, expectChargedOnce } from '../proven-books';
import { type WholeAnswer } from '../steady-load';

const INPUT_TOKENS = 10;
/** The highest cost that the books record for a call: the largest exact integer in JSON. */
const AMOUNT_MAX = BigInt(Number.MAX_SAFE_INTEGER);

const routes = [
  { path: CHAT, body: chatCompletion, frames: chatChunks },
  { path: MESSAGES, body: message, frames: messageEvents },
];
const cases = routes.flatMap((route) =>
  [false, true].map((stream) => ({ ...route, stream, how: stream ? 'streamed' : 'plain' })),
);
/** Values that are no count, or no credible one. */
const unusable = [1e300, -1, 1.5, '12', null];

describe('usage that no provider can have meant', () => {
  let upstream: ScriptedUpstream;
  let svc: Installation;
  let audit: LedgerAudit;
  const answers: WholeAnswer[] = [];
  beforeAll(async () => {
    upstream = await ScriptedUpstream.start();
    svc = await startInstallation({ catalog: catalogOf({ name: 'absurd', url: upstream.url }) });
    audit = await openLedgerAudit(svc);
  });
  afterAll(async () => {
    await audit.close();
    await svc.stop();
    await upstream.close();
  });

  /** Has a call answered with that many tokens of output. @returns its record, and its reason for reconciliation. */
  async function callWith({ path, body, frames, stream }: (typeof cases)[number], outputTokens: unknown) {
    upstream.next((_, response) => {
      const type = stream ? 'text/event-stream' : 'application/json';
      response.setHeader('content-type', type).end(stream ? frames(outputTokens) : body(outputTokens));
    });
    const messages = [{ role: 'user', content: 'How much is it?' }];
    const response = await post(svc, path, { model: testModel, max_tokens: 60, messages, stream });
    const text = await response.text();
    expect(response.status).toBe(200);
    if (stream) expect(endedWell(text)).toBe(true);
    const id = response.headers.get('x-request-id') ?? '';
    const { cost } = svcOf(
      stream ? framesOf(text).findLast((frame) => 'svc' in frame) : (JSON.parse(text) as object),
    );
    const record = (await audit.calls()).find((each) => each.id === id)!;
    expect(record.customerNanos).toBe(BigInt(cost.customer_nanos));
    if (record.status === 'succeeded') answers.push({ id, cost: record.customerNanos });
    return { ...record, reason: await reasonOf(id) };
  }

  async function reasonOf(requestId: string): Promise<string | undefined> {
    const rows = await rowsOf<{ reason: string }>(
      svc.databaseUrl,
      `SELECT payload::json -> 'data' ->> 'reason' AS reason FROM outbox_events
       WHERE type = 'request.reconciliation_required' AND payload::json -> 'data' ->> 'request_id' = $1`,
      [requestId],
    );
    return rows[0]?.reason;
  }

  describe.each(cases)('$how on $path', (route) => {
    it.each([3_000_000_000, Number.MAX_SAFE_INTEGER])(
      '%d tokens: the customer pays the hold, and the platform loses the rest',
      async (output) => {
        const record = await callWith(route, output);
        const asked = expectedCharge(
          { input: INPUT_TOKENS, cachedInput: 0, cacheWrite: 0, output },
          testPrices,
        );
        const cost = asked > AMOUNT_MAX ? AMOUNT_MAX : asked;
        expect(record).toMatchObject({ status: 'succeeded', reason: 'hold_exceeded' });
        expect(record.heldNanos).toBeGreaterThan(0n);
        expect(record.customerNanos).toBe(record.heldNanos);
        expect(record.overrunNanos).toBe(cost - record.heldNanos);
      },
    );

    it.each(unusable)('%p tokens: the customer pays what was observed', async (output) => {
      const record = await callWith(route, output);
      expect(record).toMatchObject({ status: 'reconciliation_required', reason: 'usage_missing' });
      expect(record.customerNanos).toBeGreaterThan(0n);
      expect(record.customerNanos).toBeLessThanOrEqual(record.heldNanos);
    });
  });

  it('the books hold', async () => {
    await expectBalanced(audit);
    await expectChargedOnce(audit, answers);
    await expectBooksHold(svc);
  });
});

function chatCompletion(outputTokens: unknown): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'absurd',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Much.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: INPUT_TOKENS, completion_tokens: outputTokens },
  });
}

function chatChunks(outputTokens: unknown): string {
  const chunk = (rest: object) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'absurd', ...rest })}\n\n`;
  return [
    chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: 'Much.' }, finish_reason: null }] }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    chunk({ choices: [], usage: { prompt_tokens: INPUT_TOKENS, completion_tokens: outputTokens } }),
    'data: [DONE]\n\n',
  ].join('');
}

const emptyMessage = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'absurd',
  stop_sequence: null,
};

function message(outputTokens: unknown): string {
  return JSON.stringify({
    ...emptyMessage,
    content: [{ type: 'text', text: 'Much.' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: INPUT_TOKENS, output_tokens: outputTokens },
  });
}

function messageEvents(outputTokens: unknown): string {
  const usage = { input_tokens: INPUT_TOKENS, output_tokens: outputTokens };
  const event = (type: string, rest: object = {}) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
  const text = { index: 0, delta: { type: 'text_delta', text: 'Much.' } };
  return [
    event('message_start', { message: { ...emptyMessage, content: [], stop_reason: null, usage } }),
    event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    event('content_block_delta', text),
    event('content_block_stop', { index: 0 }),
    event('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage }),
    event('message_stop'),
  ].join('');
}
