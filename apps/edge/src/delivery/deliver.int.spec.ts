import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { eventually, readSse, sseFrames, type SseFrame } from '@svc/testing';
import { completion } from '../testing/answers';
import { catalogOf, CHAT } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const world = edgeWorld();
const IDLE_MS = 3_000;
beforeEach(() => {
  const timeoutMs = { first_byte: 10_000, idle: IDLE_MS };
  return world.start({ catalog: catalogOf([world.upstream.url], undefined, timeoutMs) });
});

const USAGE = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
/** 7 × 10 + 5 × 100. */
const CHARGE = 570n;
const STREAMED = { ...CHAT, stream: true, stream_options: { include_usage: true } };

const frame = (chunk: object): string => `data: ${JSON.stringify({ model: 'small-1', ...chunk })}\n\n`;
const textFrame = (content: string) => frame({ choices: [{ index: 0, delta: { content } }] });
const lastFrames =
  frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
  frame({ choices: [], usage: USAGE }) +
  'data: [DONE]\n\n';
const openStream = (response: ServerResponse, ...frames: string[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(frames.join(''));
};

const chat = (body: object = CHAT, init?: RequestInit) => world.edge.post('/v1/chat/completions', body, init);
const recordOf = (response: Response) =>
  world.database.prisma.requestRecord.findUniqueOrThrow({
    where: { id: response.headers.get('x-request-id') ?? '' },
  });
const onlyRecord = () => world.database.prisma.requestRecord.findFirstOrThrow();
const settledRecord = () =>
  eventually(async () => {
    const record = await onlyRecord();
    expect(record.status).not.toBe('pending');
    return record;
  });
const wallet = () => world.database.prisma.wallet.findFirstOrThrow();
const reconciliations = async () => {
  const events = await world.database.prisma.outboxEvent.findMany({
    where: { type: 'request.reconciliation_required' },
  });
  return events.map(({ payload }) => (JSON.parse(payload) as { data: Record<string, unknown> }).data);
};

/** Blocks every settlement while `work` runs. */
async function whileBooksAreLocked<T>(work: () => Promise<T>): Promise<T> {
  const client = await world.database.pool.connect();
  await client.query('BEGIN');
  await client.query('SELECT FROM wallets FOR UPDATE');
  try {
    return await work();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
const pause = (ms: number) => new Promise<'pause'>((resolve) => setTimeout(resolve, ms, 'pause'));
const jsonOf = (frames: readonly SseFrame[]) =>
  frames.map(({ json }) => json).filter((json) => json !== undefined);

describe('an answer', () => {
  it('that is not a stream is sent only once its charge is committed', async () => {
    let upstreamAnswer: ServerResponse | undefined;
    world.upstream.next((_, response) => void (upstreamAnswer = response));
    const answering = chat();
    await eventually(() => {
      expect(upstreamAnswer).toBeDefined();
    });
    await whileBooksAreLocked(async () => {
      upstreamAnswer!.end(JSON.stringify(completion(USAGE)));
      expect(await Promise.race([answering, pause(300)])).toBe('pause');
    });
    const response = await answering;
    expect(await response.json()).toMatchObject({
      model: 'acme/small',
      svc: { provider: 'upstream-1', cost: { customer_nanos: Number(CHARGE), state: 'final' } },
    });
    expect(await recordOf(response)).toMatchObject({ status: 'succeeded', customerNanos: CHARGE });
    expect(await wallet()).toMatchObject({ balanceNanos: 1_000_000_000n - CHARGE, heldNanos: 0n });
  });

  it('that is a stream flows at once, but its end is sent only once its charge is committed', async () => {
    let upstreamAnswer: ServerResponse | undefined;
    world.upstream.next((_, response) => {
      upstreamAnswer = response;
      openStream(response, textFrame('Hel'), textFrame('lo'));
    });
    const response = await chat(STREAMED);
    const frames = sseFrames(response);
    expect([(await frames.next()).value, (await frames.next()).value]).toMatchObject([
      { json: { choices: [{ delta: { content: 'Hel' } }] } },
      { json: { choices: [{ delta: { content: 'lo' } }] } },
    ]);
    const end = await whileBooksAreLocked(async () => {
      upstreamAnswer!.end(lastFrames);
      const next = frames.next();
      expect(await Promise.race([next, pause(400)])).toBe('pause');
      expect(await recordOf(response)).toMatchObject({ status: 'pending' });
      return { next };
    });
    const last = [(await end.next).value as SseFrame];
    for await (const rest of frames) last.push(rest);
    expect(last.at(-1)?.data).toBe('[DONE]');
    expect(jsonOf(last).at(-1)).toMatchObject({
      usage: USAGE,
      svc: { cost: { customer_nanos: Number(CHARGE), state: 'final' } },
    });
    expect(await recordOf(response)).toMatchObject({ status: 'succeeded', customerNanos: CHARGE });
  });

  it('has the headers of a stream that must not be cached or buffered', async () => {
    world.upstream.next((_, response) => {
      openStream(response, textFrame('Hi'));
      response.end(lastFrames);
    });
    const response = await chat(STREAMED);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      'x-request-id': expect.stringMatching(/^req_/),
      'x-ratelimit-scope': 'key',
    });
    await readSse(response);
  });
});

describe('a call that was closed as abandoned while it ran', () => {
  const closeIt = () =>
    world.database.pool.query(
      `SELECT settle_requests(jsonb_agg(jsonb_build_object('request_id', id, 'organization_id', organization_id,
       'status', 'reconciliation_required', 'charge_nanos', 0, 'cost_state', 'final', 'attempts', '[]'::jsonb,
       'input_tokens', 0, 'cached_input_tokens', 0, 'cache_write_tokens', 0, 'output_tokens', 0, 'reasoning_tokens', 0,
       'events', '[]'::jsonb))) FROM request_records`,
    );

  it('is not answered, as it is not charged', async () => {
    world.upstream.next(async (_, response) => {
      await closeIt();
      response.end(JSON.stringify(completion(USAGE)));
    });
    const response = await chat();
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ error: { code: 'overloaded' } });
    expect(await wallet()).toMatchObject({ balanceNanos: 1_000_000_000n, heldNanos: 0n });
  });

  it('is no complete stream', async () => {
    world.upstream.next(async (_, response) => {
      openStream(response, textFrame('Hi'));
      await closeIt();
      response.end(lastFrames);
    });
    const frames = await readSse(await chat(STREAMED));
    expect(jsonOf(frames).at(-1)).toMatchObject({ error: { code: 'overloaded' } });
    expect(frames.map(({ data }) => data)).not.toContain('[DONE]');
  });
});

describe('a stream that its protocol ended', () => {
  it('is complete although its provider keeps the connection open, and that connection is closed', async () => {
    world.upstream.next((_, response) => {
      openStream(response, textFrame('Hi'), lastFrames);
    });
    const frames = await readSse(await chat(STREAMED));
    expect(frames.at(-1)?.data).toBe('[DONE]');
    // Before the idle timeout could close it.
    const tooLate = pause(IDLE_MS - 200);
    expect(await Promise.race([world.upstream.received[0]!.answered, tooLate])).toBe(false);
  });
});

describe('a stream that its provider cuts', () => {
  it.each<[string, string, (response: ServerResponse) => void]>([
    ['by hanging up', 'provider_error', (response) => void response.destroy()],
    ['by ending too early', 'provider_error', (response) => void response.end()],
    ['by falling silent', 'overloaded', () => undefined],
    [
      'with an error',
      'provider_error',
      (response) => void response.end(frame({ error: { message: 'busy' } })),
    ],
  ])('%s ends in one error frame, and what came through is charged provisionally', async (_, code, cut) => {
    const text = 'x'.repeat(40);
    world.upstream.next((_incoming, response) => {
      openStream(response, textFrame(text));
      setTimeout(cut, 50, response);
    });
    const response = await chat(STREAMED);
    const frames = await readSse(response);
    expect(frames.map(({ data }) => data)).not.toContain('[DONE]');
    expect(jsonOf(frames)).toMatchObject([
      { choices: [{ delta: { content: text } }] },
      { error: { code, request_id: response.headers.get('x-request-id'), retriable: true } },
    ]);
    const record = await recordOf(response);
    // 40 bytes are estimated at 10 tokens.
    expect(record).toMatchObject({
      status: 'failed',
      errorCode: code,
      costState: 'provisional',
      outputTokens: 10,
    });
    expect(record.customerNanos).toBe(BigInt(record.inputTokens! * 10 + 10 * 100));
    expect(await wallet()).toMatchObject({
      balanceNanos: 1_000_000_000n - record.customerNanos!,
      heldNanos: 0n,
    });
  });
});

describe('a client that disconnects', () => {
  it('in the middle of a stream is charged provisionally for what it received', async () => {
    world.upstream.next((_, response) => {
      openStream(response, textFrame('x'.repeat(40)));
    });
    const leaver = new AbortController();
    const response = await chat(STREAMED, { signal: leaver.signal });
    await sseFrames(response).next();
    leaver.abort();
    expect(await world.upstream.received[0]!.answered).toBe(false);
    const record = await settledRecord();
    expect(record).toMatchObject({ status: 'cancelled', costState: 'provisional', outputTokens: 10 });
    expect(record.customerNanos).toBe(BigInt(record.inputTokens! * 10 + 10 * 100));
    expect(await wallet()).toMatchObject({ heldNanos: 0n });
    expect(await reconciliations()).toEqual([]);
  });

  it('before the provider answered is charged nothing, and its call needs reconciliation', async () => {
    world.upstream.next(() => undefined);
    const leaver = new AbortController();
    const answering = chat(CHAT, { signal: leaver.signal });
    await eventually(() => {
      expect(world.upstream.received).toHaveLength(1);
    });
    leaver.abort();
    await expect(answering).rejects.toThrow();
    expect(await settledRecord()).toMatchObject({ status: 'reconciliation_required', customerNanos: 0n });
    expect(await wallet()).toMatchObject({ balanceNanos: 1_000_000_000n, heldNanos: 0n });
    expect(await reconciliations()).toMatchObject([{ reason: 'usage_missing', provider: 'upstream-1' }]);
  });

  it('after the provider was done is charged in full', async () => {
    world.upstream.next((_, response) => {
      openStream(response, textFrame('Hi'), lastFrames);
      response.end();
    });
    const leaver = new AbortController();
    const response = await chat(STREAMED, { signal: leaver.signal });
    await whileBooksAreLocked(async () => {
      await sseFrames(response).next();
      await pause(500);
      leaver.abort();
      await pause(50);
    });
    expect(await settledRecord()).toMatchObject({
      status: 'succeeded',
      costState: 'final',
      customerNanos: CHARGE,
    });
  });
});

describe('a provider that reports no usage', () => {
  it.each<[string, object, (response: ServerResponse) => void]>([
    ['a whole answer', CHAT, (response) => void response.end(JSON.stringify(completion()))],
    [
      'a whole stream',
      STREAMED,
      (response) => {
        openStream(
          response,
          textFrame('Hello'),
          frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
        );
        response.end('data: [DONE]\n\n');
      },
    ],
  ])('for %s: it is charged provisionally, and needs reconciliation', async (_, body, answer) => {
    world.upstream.next((_incoming, response) => {
      answer(response);
    });
    const response = await chat(body);
    expect(await response.text()).toContain('"state":"provisional"');
    const record = await recordOf(response);
    expect(record).toMatchObject({ status: 'reconciliation_required', costState: 'provisional' });
    expect(record.customerNanos).toBeGreaterThan(0n);
    expect(await reconciliations()).toEqual([
      { request_id: record.id, model: 'acme/small', provider: 'upstream-1', reason: 'usage_missing' },
    ]);
  });
});

describe('a provider whose report is none of the answer', () => {
  const MANY = 2 ** 53;

  it.each([
    ['zeros beside text', { prompt_tokens: 0, completion_tokens: 0 }],
    ['more tokens than a number tells apart', { prompt_tokens: MANY, completion_tokens: MANY }],
  ])('costs the same plain and streamed: %s', async (_, usage) => {
    world.upstream.next((_incoming, response) => void response.end(JSON.stringify(completion(usage))));
    const plain = await recordOf(await chat());
    world.upstream.next((_incoming, response) => {
      openStream(
        response,
        textFrame('Hello'),
        frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
      );
      response.end(`${frame({ choices: [], usage })}data: [DONE]\n\n`);
    });
    const response = await chat(STREAMED);
    await response.text();
    const streamed = await recordOf(response);
    expect(plain).toMatchObject({ status: 'reconciliation_required', costState: 'provisional' });
    expect(streamed).toMatchObject({
      status: 'reconciliation_required',
      costState: 'provisional',
      outputTokens: plain.outputTokens,
    });
    expect(plain.outputTokens).toBe(2);
  });

  it('is charged for the prompt that it reported, and for the text that came', async () => {
    const report = { prompt_tokens: 70, completion_tokens: 0 };
    world.upstream.next((_incoming, response) => void response.end(JSON.stringify(completion(report))));
    expect(await recordOf(await chat())).toMatchObject({
      inputTokens: 70,
      outputTokens: 2,
      costState: 'provisional',
    });
  });
});

describe('a client that does not read', () => {
  it('slows its provider down, so that nothing piles up here', async () => {
    const block = textFrame('x'.repeat(64 * 1024));
    let taken = 0;
    world.upstream.next(async (_, response) => {
      openStream(response);
      for (let sent = 0; sent < 200_000_000 && !response.destroyed; sent += block.length) {
        taken = sent;
        if (!response.write(block)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
    });
    const outgoing = httpRequest(`${world.edge.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-api-key': world.edge.apiKey, 'content-type': 'application/json' },
    });
    outgoing.end(JSON.stringify(STREAMED));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    response.pause();
    const atRest = await eventually(async () => {
      const before = taken;
      await pause(200);
      expect(taken).toBe(before);
      return taken;
    });
    // The buffers of the sockets on the way.
    expect(atRest).toBeGreaterThan(0);
    expect(atRest).toBeLessThan(40_000_000);
    outgoing.destroy();
    expect(await settledRecord()).toMatchObject({ status: 'cancelled' });
  });
});
