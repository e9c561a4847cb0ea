import { type ServerResponse } from 'node:http';
import { eventually } from '@svc/testing';
import { BodyMemory } from '../call/body-memory';
import { LargeBodySemaphore } from '../fairness/large-body-semaphore';
import { completes, completion, errorOf } from '../testing/answers';
import { CHAT } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const PATH = '/v1/chat/completions';
const LARGE = { ...CHAT, messages: [{ role: 'user', content: 'x'.repeat(300 * 1024) }] };
const LARGE_NO_JSON = 'x'.repeat(300 * 1024);
const EMPTY_BUCKET = { status: 429, code: 'rate_limit', param: 'requests' };
const NO_ROOM = { status: 503, code: 'overloaded', param: undefined };

const world = edgeWorld();
const post = (body: object = LARGE, init: RequestInit = {}, path = PATH) => world.edge.post(path, body, init);

describe('a large body', () => {
  const useUp = async (): Promise<void> => {
    world.upstream.next(completes());
    await (await post(CHAT)).text();
  };

  it('is refused without being parsed while the bucket of requests is empty', async () => {
    await world.start({ key: { rpm: 1 } });
    await useUp();
    const refused = await post({}, { body: LARGE_NO_JSON });
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '60',
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-scope': 'key',
    });
    expect(await errorOf(refused)).toEqual(EMPTY_BUCKET);
    expect(await world.database.prisma.requestRecord.count()).toBe(1);
    // A small one is cheap to parse, and gets its own error as usual.
    expect(await errorOf(await post({}, { body: 'x' }))).toMatchObject({ status: 400 });
  });

  it('takes nothing from the buckets when they are peeked at', async () => {
    await world.start({ key: { rpm: 1 } });
    for (let call = 0; call < 3; call++) {
      expect(await errorOf(await post({}, { body: LARGE_NO_JSON }))).toMatchObject({ status: 400 });
    }
    world.upstream.next(completes());
    expect((await post()).status).toBe(200);
    expect(await errorOf(await post())).toEqual(EMPTY_BUCKET);
  });

  it('that was answered before is replayed with an empty bucket', async () => {
    await world.start({ key: { rpm: 1 } });
    world.upstream.next(completes());
    const headers = { 'Idempotency-Key': 'k1' };
    const original = await (await post(LARGE, { headers })).text();
    expect(await errorOf(await post())).toEqual(EMPTY_BUCKET);
    const replay = await post(LARGE, { headers });
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(await replay.text()).toBe(original);
  });
});

describe('large bodies of one organization', () => {
  it('beyond its bound are refused while calls with others run, on every route', async () => {
    // One fits, and one may exceed the bound.
    await world.start({
      bodySemaphore: new LargeBodySemaphore({ bytesMax: 400 * 1024, waitingMax: 0, waitMsMax: 0 }),
    });
    const held: ServerResponse[] = [];
    for (const _ of [1, 2]) world.upstream.next((_incoming, response) => void held.push(response));
    const running = [post(), post()];
    await eventually(() => {
      expect(held).toHaveLength(2);
    });
    expect(await errorOf(await post())).toEqual(NO_ROOM);
    const { max_tokens: _, ...counted } = LARGE;
    expect(await errorOf(await post(counted, {}, '/v1/messages/count_tokens'))).toEqual(NO_ROOM);
    const answer = JSON.stringify(completion({ prompt_tokens: 1, completion_tokens: 1 }));
    for (const response of held) response.end(answer);
    for (const call of running) expect((await call).status).toBe(200);
    world.upstream.next(completes());
    expect((await post()).status).toBe(200);
  });
});

describe('large bodies and the memory of the process', () => {
  const KIB = 1024;
  const ROUTES = [
    '/v1/chat/completions',
    '/v1/messages',
    '/v1/messages/count_tokens',
    '/v1/responses',
    '/v1/embeddings',
  ];
  const start = () =>
    world.start({
      bodyMemory: new BodyMemory({ bytesMax: 310 * KIB, bytesOfOneMax: 500 * KIB, bytesUnfreedMax: KIB }),
    });
  /** Without `content-length`. */
  const inChunks = (byteCount: number): RequestInit => ({
    body: new ReadableStream({
      start: (stream) => {
        stream.enqueue(Buffer.alloc(byteCount, 'x'));
        stream.close();
      },
    }),
    duplex: 'half',
  });

  it.each(ROUTES)('one that never has room there is 413, announced or not: %s', async (route) => {
    await start();
    for (const init of [{ body: 'x'.repeat(600 * KIB) }, inChunks(600 * KIB)]) {
      expect(await errorOf(await post({}, init, route))).toMatchObject({
        status: 413,
        code: 'invalid_request',
      });
    }
  });

  it('one that has none beside others is 503, and has room when they are gone', async () => {
    await start();
    const held: ServerResponse[] = [];
    for (const _ of [1, 2]) world.upstream.next((_incoming, response) => void held.push(response));
    const running = [post(), post()];
    await eventually(() => {
      expect(held).toHaveLength(2);
    });
    expect(await errorOf(await post())).toEqual(NO_ROOM);
    const answer = JSON.stringify(completion({ prompt_tokens: 1, completion_tokens: 1 }));
    for (const response of held) response.end(answer);
    for (const call of running) expect((await call).status).toBe(200);
    world.upstream.next(completes());
    expect((await post()).status).toBe(200);
  });
});
