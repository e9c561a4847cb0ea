import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { envCredential, pricePerToken, type ModelEndpoint, type Provider } from '@svc/catalog';
import { collect, eventually, ScriptedUpstream } from '@svc/testing';
import { UpstreamTimeout } from './upstream-timeout';
import { UpstreamClient } from './upstream-client';

const price = pricePerToken(1)!;
const KEY = [envCredential('KEY')];
let upstream: ScriptedUpstream;
let client: UpstreamClient;
beforeEach(async () => {
  upstream = await ScriptedUpstream.start();
  client = new UpstreamClient();
});
afterEach(async () => {
  await upstream.close();
  await client.close();
});

interface TargetChanges {
  readonly provider?: Partial<Provider>;
  readonly timeouts?: ModelEndpoint['timeouts'];
}
const targetOf = ({
  provider,
  timeouts = { firstByteMs: 30_000, idleMs: 30_000 },
}: TargetChanges = {}): ModelEndpoint => ({
  id: 'acme/small|acme|eu|small-1',
  modelId: 'acme/small',
  provider: {
    name: 'acme',
    protocol: 'openai',
    baseUrl: `${upstream.url}/v1`,
    credentialEnv: null,
    ...provider,
  },
  upstreamModel: 'small-1',
  region: 'eu',
  dataRetention: 'zero',
  operations: new Set(['chat_completions', 'messages']),
  parameters: null,
  usage: 'reported',
  prices: { input: price, cachedInput: price, cacheWrite: price, output: price },
  timeouts,
});

/** The only call, as soon as the provider has it. */
const onlyReceived = () =>
  eventually(() => {
    expect(upstream.received).toHaveLength(1);
    return upstream.received[0]!;
  });

const stays = new AbortController().signal;
const call = (
  changes: TargetChanges = {},
  body: readonly Uint8Array[] = [Buffer.from('{}')],
  disconnected = stays,
) =>
  client.call(
    {
      endpoint: targetOf(changes),
      route: changes.provider?.protocol === 'anthropic' ? 'messages' : 'chat_completions',
    },
    changes.provider?.credentialEnv === undefined ? null : 'secret',
    body,
    disconnected,
  );
const textOf = async (body: AsyncIterable<Uint8Array>): Promise<string> =>
  Buffer.concat(await collect(body)).toString();
const silence = () => undefined;

describe('a call to a provider', () => {
  it('uses the path and the credential header of its protocol', async () => {
    for (let answers = 0; answers < 3; answers++) upstream.next((_, response) => void response.end('ok'));
    await textOf((await call({ provider: { credentialEnv: KEY } })).body);
    await textOf((await call({ provider: { credentialEnv: KEY, protocol: 'anthropic' } })).body);
    await textOf((await call()).body);
    const [openai, anthropic, open] = upstream.received;
    expect(openai).toMatchObject({ method: 'POST', path: '/v1/chat/completions' });
    expect(openai!.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/json',
    });
    expect(anthropic!.path).toBe('/v1/messages');
    expect(anthropic!.headers).toMatchObject({ 'x-api-key': 'secret', 'anthropic-version': '2023-06-01' });
    expect(anthropic!.headers.authorization).toBeUndefined();
    expect(open!.headers.authorization).toBeUndefined();
  });

  it('sends the headers of this call only once', async () => {
    for (let answers = 0; answers < 2; answers++) upstream.next((_, response) => void response.end('ok'));
    const headers = [['x-of-the-call', 'one']] as const;
    const answer = await client.call(
      { endpoint: targetOf(), route: 'chat_completions' },
      null,
      [Buffer.from('{}')],
      stays,
      headers,
    );
    await textOf(answer.body);
    await textOf((await call()).body);
    expect(upstream.received.map((received) => received.headers['x-of-the-call'])).toEqual([
      'one',
      undefined,
    ]);
  });

  it('has the header, headers and query of its catalog entry, where that differs from its protocol', async () => {
    const connection = {
      credentialHeader: 'api-key',
      credentialScheme: null,
      headers: [['x-team', 'search']] as const,
      query: 'api-version=2024-10-21',
      secrets: [],
    };
    const bearer = { ...connection, credentialHeader: null, credentialScheme: 'Bearer' as const, query: '' };
    const version = { ...connection, headers: [['anthropic-version', '2024-01-01']] as const };
    for (let answers = 0; answers < 3; answers++) upstream.next((_, response) => void response.end('ok'));
    await textOf((await call({ provider: { credentialEnv: KEY, connection } })).body);
    await textOf(
      (await call({ provider: { credentialEnv: KEY, protocol: 'anthropic', connection: bearer } })).body,
    );
    await textOf((await call({ provider: { protocol: 'anthropic', connection: version } })).body);
    const [openai, anthropic, versioned] = upstream.received;
    expect(openai!.path).toBe('/v1/chat/completions?api-version=2024-10-21');
    expect(openai!.headers).toMatchObject({ 'api-key': 'secret', 'x-team': 'search' });
    expect(openai!.headers.authorization).toBeUndefined();
    expect(anthropic!.path).toBe('/v1/messages');
    expect(anthropic!.headers).toMatchObject({ 'x-api-key': 'Bearer secret', 'x-team': 'search' });
    expect(versioned!.headers['anthropic-version']).toBe('2024-01-01');
  });

  it('returns status, headers and body as they are, also of an error', async () => {
    upstream.next(
      (_, response) => void response.writeHead(418, { 'retry-after': '7' }).end('short and stout'),
    );
    const answer = await call();
    expect(answer).toMatchObject({ status: 418, headers: { 'retry-after': '7' } });
    expect(await textOf(answer.body)).toBe('short and stout');
  });

  it('returns an answer whole, however large it is and however late it is read', async () => {
    for (let kilobytes = 60; kilobytes <= 200; kilobytes += 4) {
      const lines = Array.from({ length: kilobytes * 64 }, (_, at) => `line ${String(at).padStart(10)}`);
      const whole = lines.join('\n');
      upstream.next((_, response) => void response.end(whole));
      const { body } = await call();
      const pieces: Uint8Array[] = [];
      for await (const piece of body) {
        pieces.push(piece);
        await wait(2);
      }
      expect(Buffer.concat(pieces).toString() === whole).toBe(true);
    }
  });

  it.each([
    ['small', [3, 0, 5]],
    ['large', [40_000_000, 1, 10_000_000]],
  ])('brings a %s body in pieces whole, with its length announced', async (_, sizes) => {
    const pieces = sizes.map((size, at) => Buffer.alloc(size, 'a'.charCodeAt(0) + at));
    upstream.next((_incoming, response) => void response.end('ok'));
    await textOf((await call({}, pieces)).body);
    const whole = Buffer.concat(pieces);
    expect(upstream.received[0]!.body.equals(whole)).toBe(true);
    expect(upstream.received[0]!.headers['content-length']).toBe(String(whole.length));
  });

  it('to a closed port fails with the connection’s own error', async () => {
    const unused = createServer().listen(0, '127.0.0.1');
    await once(unused, 'listening');
    const { port } = unused.address() as AddressInfo;
    unused.close();
    await expect(
      call({ provider: { baseUrl: `http://127.0.0.1:${String(port)}/v1` } }),
    ).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('whose answer is cut fails while it is read', async () => {
    upstream.next((_, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('half', () => response.socket?.destroy());
    });
    const answer = await call();
    await expect(textOf(answer.body)).rejects.not.toBeInstanceOf(UpstreamTimeout);
  });
});

describe('a provider that sends nothing', () => {
  const timeouts = { firstByteMs: 20_000, idleMs: 300 };

  it('before it answers is a time-out of the first byte, and its connection is closed', async () => {
    upstream.next(silence);
    const outcome = expect(call({ timeouts: { ...timeouts, firstByteMs: 2_000 } })).rejects.toMatchObject({
      name: 'UpstreamTimeout',
      phase: 'first_byte',
    });
    const received = await onlyReceived();
    await outcome;
    expect(await received.answered).toBe(false);
  });

  it('after its headers is still one of the first byte', async () => {
    upstream.next((_, response) => {
      response.writeHead(200).flushHeaders();
    });
    // The headers of a busy machine come in time.
    const answer = await call({ timeouts: { ...timeouts, firstByteMs: 2_000 } });
    await expect(textOf(answer.body)).rejects.toMatchObject({ phase: 'first_byte' });
    expect(await upstream.received[0]!.answered).toBe(false);
  });

  it('between two bytes is idle, and its connection is closed', async () => {
    upstream.next((_, response) => void response.write('some'));
    const answer = await call({ timeouts });
    await expect(textOf(answer.body)).rejects.toMatchObject({ phase: 'idle' });
    expect(await upstream.received[0]!.answered).toBe(false);
  });

  it('for less than its timeout, again and again, is waited for', async () => {
    upstream.next(async (_, response) => {
      for (let piece = 0; piece < 8; piece++) {
        response.write(String(piece));
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      response.end();
    });
    const answer = await call({ timeouts: { ...timeouts, idleMs: 2_000 } });
    expect(await textOf(answer.body)).toBe('01234567');
  });

  it('is waited for anew after a chunk that its reader took long to process', async () => {
    upstream.next((_, response) => {
      response.write('one');
      setTimeout(() => void response.end('two'), 30);
    });
    let text = '';
    for await (const chunk of (await call({ timeouts })).body) {
      text += Buffer.from(chunk).toString();
      await new Promise((resolve) => setTimeout(resolve, 3 * timeouts.idleMs));
    }
    expect(text).toBe('onetwo');
  });

  it('after such a chunk is idle all the same', async () => {
    upstream.next((_, response) => void response.write('some'));
    const chunks = (await call({ timeouts })).body[Symbol.asyncIterator]();
    await chunks.next();
    await new Promise((resolve) => setTimeout(resolve, 3 * timeouts.idleMs));
    await expect(chunks.next()).rejects.toMatchObject({ phase: 'idle' });
    expect(await upstream.received[0]!.answered).toBe(false);
  });

  it('has another timeout before the first byte than between two', async () => {
    upstream.next(async (_, response) => {
      await new Promise((resolve) => setTimeout(resolve, 250));
      response.end('late');
    });
    const answer = await call({ timeouts: { ...timeouts, idleMs: 100 } });
    expect(await textOf(answer.body)).toBe('late');
  });
});

describe('a client that disconnects', () => {
  it.each([
    ['before the provider answers', silence],
    [
      'in the middle of the answer',
      (_: unknown, response: { write(text: string): unknown }) => void response.write('some'),
    ],
  ])('%s ends the provider’s work', async (_, script) => {
    upstream.next(script);
    const leaver = new AbortController();
    const reading = call({}, undefined, leaver.signal).then(({ body }) => textOf(body));
    const outcome = expect(reading).rejects.not.toBeInstanceOf(UpstreamTimeout);
    const received = await onlyReceived();
    leaver.abort();
    await outcome;
    expect(await received.answered).toBe(false);
  });

  it('before the call began causes no call to the provider', async () => {
    await expect(call({}, undefined, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(upstream.received).toEqual([]);
  });

  it('is no longer listened for once the answer is complete', async () => {
    upstream.next((_, response) => void response.end('ok'));
    upstream.next((_, response) => void response.end('ok'));
    const leaver = new AbortController();
    await textOf((await call({}, undefined, leaver.signal)).body);
    leaver.abort();
    expect(await textOf((await call()).body)).toBe('ok');
  });

  it('aborts the rest of the answer by not reading on', async () => {
    upstream.next((_, response) => void response.write('some'));
    const { body } = await call();
    for await (const _ of body) break;
    expect(await upstream.received[0]!.answered).toBe(false);
  });
});

describe('a connection that breaks before anything came back', () => {
  const answers = () => upstream.next((_, response) => void response.end('ok'));
  const breaks = () => upstream.next((_, response) => void response.destroy());
  /** Leaves a connection that is kept: it is free in the turn after the answer's end. */
  const callOnce = async () => {
    answers();
    await textOf((await call()).body);
    await nextTurn();
  };

  it.each([
    ['in one piece', [Buffer.from('{"a":1}')]],
    ['streamed', [Buffer.alloc(200_000, ' '), Buffer.alloc(200_000, ' ')]],
  ])('costs the call nothing where it was kept from an earlier one: a body %s', async (_, body) => {
    await callOnce();
    breaks();
    answers();
    expect(await textOf((await call({}, body)).body)).toBe('ok');
    const [, first, second] = upstream.received;
    expect(second!.body).toEqual(first!.body);
  });

  it('is not tried again where it was new', async () => {
    breaks();
    await expect(call()).rejects.toThrow();
    expect(upstream.received).toHaveLength(1);
  });

  it('is tried again once', async () => {
    await callOnce();
    breaks();
    breaks();
    await expect(call()).rejects.toThrow();
    expect(upstream.received).toHaveLength(3);
  });

  it('is tried again on a new one, although others are kept', async () => {
    const responses: { end(text: string): unknown }[] = [];
    for (let calls = 0; calls < 3; calls++) upstream.next((_, response) => void responses.push(response));
    const begun = [call(), call(), call()];
    await eventually(() => expect(responses).toHaveLength(3));
    for (const response of responses) response.end('ok');
    for (const answer of await Promise.all(begun)) await textOf(answer.body);
    await nextTurn();
    breaks();
    answers();
    expect(await textOf((await call()).body)).toBe('ok');
  });

  it('is not tried again where an interim response came', async () => {
    await callOnce();
    upstream.next((_, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      setImmediate(() => response.destroy());
    });
    await expect(call()).rejects.toThrow();
    expect(upstream.received).toHaveLength(2);
  });

  it('is not tried again where the answer began', async () => {
    await callOnce();
    upstream.next((_, response) => {
      response.writeHead(200);
      response.write('half', () => response.destroy());
    });
    const answer = await call();
    await expect(textOf(answer.body)).rejects.toThrow();
    expect(upstream.received).toHaveLength(2);
  });
});
