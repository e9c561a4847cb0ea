import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { readSse } from '@svc/testing';
import { completes, completion, errorOf } from '../testing/answers';
import { CHAT, MODEL } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const BOUND = 64 * 1024 * 1024;
const SAID = completion({ prompt_tokens: 1, completion_tokens: 1 }, 'Hello there');

const world = edgeWorld();
/** The second endpoint is at the same upstream. */
const start = () => world.start({ upstreamUrls: [world.upstream.url, world.upstream.url] });
const call = (more: object = {}) => world.edge.post('/v1/chat/completions', { ...CHAT, ...more });
const answersWith = (body: Buffer, headers: Record<string, string>, status = 200) =>
  world.upstream.next((_, response) => void response.writeHead(status, headers).end(body));

/** Writes until the reader disconnects. */
const answersWithoutEnd = () =>
  world.upstream.next((_, response) => {
    const spaces = Buffer.alloc(1024 * 1024, ' ');
    const goOn = (): void => {
      while (!response.destroyed && response.write(spaces));
      response.once('drain', goOn);
    };
    goOn();
  });

const expectFallback = async (response: Response): Promise<void> => {
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    svc: { attempts: [{ error: 'provider_error' }, { status: 200 }] },
  });
};

describe('an answer without end', () => {
  it('is a provider error at 64 MiB: its call is aborted, and the next endpoint tried', async () => {
    await start();
    answersWithoutEnd();
    world.upstream.next(completes());
    await expectFallback(await call());
    expect(await world.upstream.received[0]!.answered).toBe(false);
  });
});

describe('an upstream that compresses without being asked', () => {
  const plain = Buffer.from(JSON.stringify(SAID));

  it.each([
    ['gzip', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['zstd', zstdCompressSync(plain)],
  ])('with %s is understood', async (encoding, body) => {
    await start();
    answersWith(body, { 'content-encoding': encoding });
    const response = await call();
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(await response.json()).toMatchObject({
      model: MODEL.id,
      choices: [{ message: { content: 'Hello there' } }],
    });
  });

  it('is read up to 64 MiB after decompression', async () => {
    await start();
    answersWith(gzipSync(Buffer.alloc(BOUND + 1, ' ')), { 'content-encoding': 'gzip' });
    world.upstream.next(completes());
    await expectFallback(await call());
  });

  it.each([
    ['in a way that nobody knows', gzipSync(plain), 'compress'],
    ['and breaks off', gzipSync(plain).subarray(0, -9), 'gzip'],
    ['and breaks off without a header', deflateRawSync(plain).subarray(0, -9), 'deflate'],
    ['and sends nothing', Buffer.alloc(0), 'deflate'],
    ['and says so of what is not', plain, 'br'],
  ])('%s gives no answer', async (_, body, encoding) => {
    await start();
    answersWith(body, { 'content-encoding': encoding });
    world.upstream.next(completes());
    await expectFallback(await call());
  });

  it('is understood in a stream and in a refusal too', async () => {
    await start();
    const frames = [
      { choices: [{ index: 0, delta: { content: 'Hello' } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    ].map((chunk) => `data: ${JSON.stringify({ model: 'small-1', ...chunk })}\n\n`);
    const stream = gzipSync(`${frames.join('')}data: [DONE]\n\n`);
    answersWith(stream, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
    const told = await readSse(await call({ stream: true }));
    expect(told.at(-1)?.data).toBe('[DONE]');
    answersWith(gzipSync('{"error":{"message":"too warm"}}'), { 'content-encoding': 'gzip' }, 400);
    const refused = await call();
    expect(await refused.clone().text()).toContain('too warm');
    expect(await errorOf(refused)).toMatchObject({ code: 'provider_http_400' });
  });
});
