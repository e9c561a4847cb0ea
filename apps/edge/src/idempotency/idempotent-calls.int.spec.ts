import { EdgeInstanceStore, IdempotencyStore } from '@svc/ledger/store';
import { heartbeatWas } from '@svc/database/testing';
import { callFingerprint } from '@svc/protocol';
import { eventually, type ScriptedAnswer } from '@svc/testing';
import { answersJson, completion, errorOf, message } from '../testing/answers';
import { MODEL, PRICES, type EdgeOptions } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const CHAT_PATH = '/v1/chat/completions';
const MESSAGES_PATH = '/v1/messages';
const SAID = 'the-answer-nobody-else-may-read';
const ASKED = 'the-prompt-nobody-else-may-read';
const CALL = { model: MODEL.id, max_tokens: 50, messages: [{ role: 'user', content: ASKED }] };

const world = edgeWorld();

/** One model that is served on both routes, each by a provider of its protocol. */
const catalog = (): string =>
  JSON.stringify({
    providers: [
      { name: 'chats', protocol: 'openai', base_url: `${world.upstream.url}/v1` },
      { name: 'talks', protocol: 'anthropic', base_url: `${world.upstream.url}/v1` },
    ],
    models: [{ ...MODEL, display_name: 'Small' }],
    endpoints: [
      ['chats', 'chat_completions'],
      ['talks', 'messages'],
    ].map(([provider, operation]) => ({
      model: MODEL.id,
      provider,
      upstream_model: 'small-1',
      region: 'eu',
      data_retention: 'zero',
      operations: [operation],
      prices: PRICES,
      timeout_ms: { first_byte: 5_000, idle: 5_000 },
    })),
  });
const start = (options: Partial<EdgeOptions> = {}): Promise<void> =>
  world.start({ catalog: catalog(), ...options });

interface CallOptions {
  readonly key?: string;
  readonly path?: string;
  readonly body?: object;
  readonly signal?: AbortSignal;
}
const send = ({ key = 'k1', path = CHAT_PATH, body = CALL, signal }: CallOptions = {}): Promise<Response> =>
  world.edge.post(path, body, { headers: { 'Idempotency-Key': key }, ...(signal && { signal }) });
const idOf = ({ headers }: Response): string | null => headers.get('x-request-id');
const IN_PROGRESS = { status: 409, code: 'idempotency_in_progress', param: 'Idempotency-Key' };
const REUSED = { status: 409, code: 'idempotency_key_reused', param: 'Idempotency-Key' };

const chatAnswer = answersJson(completion({ prompt_tokens: 3, completion_tokens: 2 }, SAID));
const messageAnswer = answersJson(message({ input_tokens: 3, output_tokens: 2 }, SAID));
const frame = (data: object, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
const PIECES = Array.from({ length: 100 }, (_, at) => `${SAID} ${String(at)}. `);
const chatFrames = [
  ...PIECES.map((content) => frame({ model: 'small-1', choices: [{ index: 0, delta: { content } }] })),
  frame({ model: 'small-1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  frame({ model: 'small-1', choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } }),
  'data: [DONE]\n\n',
];
const messageEvent = (type: string, more: object = {}): string => frame({ type, ...more }, type);
const messageFrames = [
  messageEvent('message_start', {
    message: { model: 'small-1', usage: { input_tokens: 3, output_tokens: 0 } },
  }),
  messageEvent('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  ...PIECES.map((text) =>
    messageEvent('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
  ),
  messageEvent('content_block_stop', { index: 0 }),
  messageEvent('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }),
  messageEvent('message_stop'),
];
const streams =
  (frames: readonly string[]): ScriptedAnswer =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(frames.join(''));
/** Answers when the test says so. */
function held(answer: ScriptedAnswer): { readonly script: ScriptedAnswer; let: () => void } {
  let proceed = (): void => undefined;
  const told = new Promise<void>((resolve) => (proceed = resolve));
  return {
    script: (incoming, response) => told.then(() => answer(incoming, response)),
    let: () => {
      proceed();
    },
  };
}

const claims = () => world.database.prisma.idempotencyClaim.findMany();
const books = async () => ({
  wallet: await world.database.prisma.wallet.findMany(),
  records: await world.database.prisma.requestRecord.findMany(),
  transfers: await world.database.prisma.ledgerTransfer.findMany(),
  usage: await world.database.prisma.usageDay.findMany(),
});
const chargeCount = () => world.database.prisma.ledgerTransfer.count({ where: { kind: 'charge' } });

describe('a call with the key and the body of an answered one', () => {
  it.each([
    [CHAT_PATH, chatAnswer, [CHAT_PATH]],
    [MESSAGES_PATH, messageAnswer, [MESSAGES_PATH, '/v1/v1/messages']],
  ])('on %s gets its answer again, under its request id', async (path, answer, paths) => {
    await start();
    world.upstream.next(answer);
    const original = await send({ path });
    const body = await original.text();
    expect(original.headers.get('idempotency-replayed')).toBeNull();
    expect(JSON.parse(body)).toHaveProperty('svc.cost.customer_nanos', 3 * PRICES.input + 2 * PRICES.output);
    for (const again of paths) {
      const replay = await send({ path: again });
      expect(replay.status).toBe(200);
      expect(await replay.text()).toBe(body);
      expect(replay.headers.get('content-type')).toBe(original.headers.get('content-type'));
      expect(replay.headers.get('idempotency-replayed')).toBe('true');
      expect(idOf(replay)).toBe(idOf(original));
      expect(replay.headers.get('request-id')).toBe(original.headers.get('request-id'));
    }
  });

  it.each([
    [CHAT_PATH, chatFrames, 2, 4],
    [MESSAGES_PATH, messageFrames, 2, 6],
  ])('on %s gets its stream again in few frames, with the same end', async (path, frames, last, count) => {
    await start();
    const body = { ...CALL, stream: true };
    world.upstream.next(streams(frames));
    const original = await send({ path, body });
    const text = await original.text();
    const replay = await send({ path, body });
    const compact = await replay.text();
    expect(replay.headers.get('content-type')).toBe('text/event-stream');
    expect(replay.headers.get('cache-control')).toBe('no-cache');
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(idOf(replay)).toBe(idOf(original));
    const lastOf = (stream: string) => stream.trimEnd().split('\n\n').slice(-last);
    expect(lastOf(compact)).toEqual(lastOf(text));
    expect(lastOf(compact).join('')).toContain('"svc"');
    expect(compact.trimEnd().split('\n\n').length).toBeLessThanOrEqual(count);
    expect(compact).toContain(JSON.stringify(PIECES.join('')).slice(1, -1));
  });

  it('touches no bucket, hold, charge or record, and is answered with an empty bucket too', async () => {
    await start({ key: { rpm: 1 } });
    world.upstream.next(chatAnswer);
    await (await send()).text();
    const before = await books();
    for (let replay = 0; replay < 5; replay++) {
      const { status, headers } = await send();
      expect([status, headers.get('x-ratelimit-limit')]).toEqual([200, null]);
    }
    expect(await books()).toEqual(before);
    expect((await send({ key: 'k2' })).status).toBe(429);
  });

  it('may write its JSON in another way', async () => {
    await start();
    world.upstream.next(chatAnswer);
    await (await send()).text();
    const { messages, ...rest } = CALL;
    const spelled = JSON.stringify({ messages, ...rest }, null, 2).replace('50', '5e1');
    const replay = await world.edge.post(
      CHAT_PATH,
      {},
      { body: spelled, headers: { 'Idempotency-Key': 'k1' } },
    );
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('a stream of more than 64 MiB', () => {
  it('is sent whole and charged, but not stored: a retry runs as a new call', async () => {
    await start();
    const body = { ...CALL, stream: true };
    const frames = Array.from({ length: 65 }, () =>
      frame({ model: 'small-1', choices: [{ index: 0, delta: { content: 'x'.repeat(2 ** 20) } }] }),
    );
    world.upstream.next(streams([...frames, ...chatFrames.slice(-3)]));
    const text = await (await send({ body })).text();
    expect(text.length).toBeGreaterThan(65 * 2 ** 20);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(await world.database.prisma.idempotencyClaim.count()).toBe(0);
    world.upstream.next(streams(chatFrames));
    const retry = await send({ body });
    expect(retry.headers.get('idempotency-replayed')).toBeNull();
    await retry.text();
    expect(await chargeCount()).toBe(2);
  });
});

describe('a key', () => {
  it.each([
    ['another prompt', { ...CALL, messages: [{ role: 'user', content: 'Hi' }] }, CHAT_PATH],
    ['a stream instead', { ...CALL, stream: true }, CHAT_PATH],
    ['another route', CALL, MESSAGES_PATH],
  ])('is refused for another body: %s', async (_, body, path) => {
    await start();
    world.upstream.next(chatAnswer);
    await (await send()).text();
    const refused = await send({ body, path });
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect(await errorOf(refused)).toEqual(REUSED);
  });

  it('lets one of many concurrent calls through, and tells the others when to retry', async () => {
    await start();
    const { script, let: answer } = held(chatAnswer);
    world.upstream.next(script);
    const calls = Array.from({ length: 30 }, () => send());
    const losers: Response[] = [];
    const collect = (response: Response) => losers.push(response);
    for (const call of calls) call.then(collect, () => undefined);
    // The winner's answer is held back until all others have theirs.
    await eventually(() => expect(losers).toHaveLength(29));
    const refused = [...losers];
    answer();
    for (const response of refused) {
      expect(response.headers.get('retry-after-ms')).toBe('1000');
      expect(response.headers.get('x-should-retry')).toBe('true');
      expect(await errorOf(response)).toEqual(IN_PROGRESS);
    }
    const [winner] = (await Promise.all(calls)).filter(({ status }) => status === 200);
    expect(idOf(await send())).toBe(idOf(winner!));
    expect(await chargeCount()).toBe(1);
  });

  it.each(['', 'x'.repeat(256)])('that is invalid is refused', async (key) => {
    await start();
    expect(await errorOf(await send({ key }))).toEqual({
      status: 400,
      code: 'invalid_request',
      param: 'Idempotency-Key',
    });
  });

  it('is optional: a call without one stores nothing', async () => {
    await start();
    world.upstream.next(chatAnswer);
    await (await world.edge.post(CHAT_PATH, CALL)).text();
    expect(await claims()).toEqual([]);
  });
});

describe('a call that fails frees its key', () => {
  const retried = async (options: CallOptions = {}): Promise<void> => {
    expect(await claims()).toEqual([]);
    world.upstream.next(options.body ? streams(chatFrames) : chatAnswer);
    const retry = await send(options);
    expect([retry.status, retry.headers.get('idempotency-replayed')]).toEqual([200, null]);
    await retry.text();
    expect(await claims()).toMatchObject([{ state: 'completed' }]);
  };

  it.each([500, 400, 429])('when its provider answers %d', async (status) => {
    await start();
    world.upstream.next(answersJson({ error: { message: 'no' } }, status));
    expect((await send()).ok).toBe(false);
    await retried();
  });

  it('when its stream breaks off', async () => {
    await start();
    const body = { ...CALL, stream: true };
    world.upstream.next(streams(chatFrames.slice(0, 20)));
    expect(await (await send({ body })).text()).toContain('"error"');
    await retried({ body });
  });

  it.each([
    ['before its answer', CALL, (): ScriptedAnswer => () => undefined],
    [
      'inside its stream',
      { ...CALL, stream: true },
      (): ScriptedAnswer => (_, response) => void response.write(chatFrames.slice(0, 20).join('')),
    ],
  ])('when its caller leaves %s', async (_, body, script) => {
    await start();
    world.upstream.next(script());
    const leaving = new AbortController();
    const call = send({ body, signal: leaving.signal }).then((response) => response.text());
    call.catch(() => undefined);
    await eventually(() => {
      expect(world.upstream.received).toHaveLength(1);
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    leaving.abort();
    await expect(call).rejects.toThrow();
    await eventually(async () => {
      expect(await claims()).toEqual([]);
    });
    await retried(body === CALL ? {} : { body });
  });

  it('when the wallet cannot pay (402)', async () => {
    await start({ creditNanos: 10n });
    expect((await send()).status).toBe(402);
    expect(await claims()).toEqual([]);
  });

  it('when no model is found (404)', async () => {
    await start();
    expect((await send({ body: { ...CALL, model: 'no/such' } })).status).toBe(404);
    expect(await claims()).toEqual([]);
  });

  it('when no route is eligible (422)', async () => {
    await start({ catalog: catalog().replaceAll('"chat_completions"', '"messages"') });
    expect((await send()).status).toBe(422);
    expect(await claims()).toEqual([]);
  });

  it('when a bucket is empty (429)', async () => {
    await start({ key: { rpm: 1 } });
    world.upstream.next(chatAnswer);
    await (await send({ key: 'first' })).text();
    expect((await send()).status).toBe(429);
    expect(await claims()).toMatchObject([{ key: 'first' }]);
  });
});

describe('a key that cannot be released, because its claim is locked', () => {
  /** The call is refused by its provider while another transaction has the row. */
  const refusedWhileLocked = async () => {
    await start();
    const other = await world.database.connectAlone();
    world.upstream.next(async (incoming, response) => {
      await other.query('BEGIN');
      await other.query('SELECT FROM idempotency_claims FOR UPDATE');
      await answersJson({ error: { message: 'no' } }, 400)(incoming, response);
    });
    expect((await send()).status).toBe(400);
    expect(await claims()).toHaveLength(1);
    return { unlock: () => other.query('ROLLBACK') };
  };

  it('does not delay its caller, and is released later', async () => {
    const { unlock } = await refusedWhileLocked();
    await unlock();
    await eventually(async () => {
      expect(await claims()).toEqual([]);
    });
  });

  it('is waited for by a shutdown', async () => {
    const { unlock } = await refusedWhileLocked();
    const closing = world.edge.close();
    await unlock();
    await closing;
    expect(await claims()).toEqual([]);
  });
});

describe('a key whose process died', () => {
  const claimElsewhere = async (edgeInstanceId: string): Promise<void> => {
    const fingerprint = callFingerprint('chat_completions', Buffer.from(JSON.stringify(CALL)));
    const { organizationId } = world.edge;
    const claim = { organizationId, key: 'k1', requestId: 'req_elsewhere', fingerprint, edgeInstanceId };
    await new IdempotencyStore(world.database).claim(claim);
  };

  it('is refused while that process lives, and taken over once its lease has lapsed', async () => {
    await start();
    const instances = new EdgeInstanceStore(world.database);
    await instances.renewEdgeInstance('edge_elsewhere', 60_000);
    await claimElsewhere('edge_elsewhere');
    expect(await errorOf(await send())).toEqual(IN_PROGRESS);
    await instances.renewEdgeInstance('edge_elsewhere', 0);
    await heartbeatWas(world.database);
    world.upstream.next(chatAnswer);
    expect((await send()).status).toBe(200);
  });

  it.each([
    ['answer', CALL, chatAnswer],
    ['stream', { ...CALL, stream: true }, streams(chatFrames)],
  ])('and went to another call meanwhile leaves the first %s uncharged', async (_, body, answer) => {
    await start();
    const { script, let: proceed } = held(answer);
    world.upstream.next(script);
    const first = send({ body });
    await eventually(() => {
      expect(world.upstream.received).toHaveLength(1);
    });
    await world.database.prisma.idempotencyClaim.updateMany({ data: { requestId: 'req_elsewhere' } });
    proceed();
    const response = await first;
    expect(await response.text()).toContain('idempotency_in_progress');
    expect(await world.database.prisma.requestRecord.findMany()).toMatchObject([
      { status: 'failed', customerNanos: 0n },
    ]);
    expect(await world.database.prisma.wallet.findMany()).toMatchObject([{ heldNanos: 0n }]);
    expect(await claims()).toMatchObject([{ requestId: 'req_elsewhere', state: 'in_progress' }]);
  });
});

describe('a stored answer', () => {
  it('is encrypted: the database shows neither prompt nor answer', async () => {
    await start();
    world.upstream.next(chatAnswer);
    await (await send()).text();
    const { rows } = await world.database.pool.query<{ bytes: Buffer; text: string }>(
      'SELECT response_ciphertext AS bytes, c::text AS text FROM idempotency_claims c',
    );
    expect(rows).toHaveLength(1);
    for (const { bytes, text } of rows) {
      for (const secret of [SAID, ASKED, 'choices', 'svc']) {
        expect(bytes.includes(secret)).toBe(false);
        expect(text).not.toContain(Buffer.from(secret).toString('hex'));
        expect(text).not.toContain(secret);
      }
    }
  });

  it('is bound to its own row: it cannot be decrypted elsewhere', async () => {
    await start();
    world.upstream.next(chatAnswer);
    await (await send()).text();
    await world.database.prisma.requestRecord.updateMany({ data: { id: 'req_other' } });
    await world.database.prisma.idempotencyClaim.updateMany({ data: { requestId: 'req_other' } });
    const moved = await send();
    expect(moved.status).toBe(500);
    expect(await moved.text()).not.toContain(SAID);
  });
});
