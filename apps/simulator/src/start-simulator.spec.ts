import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { eventually, readSse } from '@svc/testing';
import { startSimulator, type JournalEntry, type Simulator } from './index';

/** Where Node.js tells of each request that a server begins to answer. */
const REQUEST_STARTS = 'http.server.request.start';
const NEVER_MS = 2 ** 30;

describe('startSimulator', () => {
  let simulator: Simulator;
  const logged: JournalEntry[] = [];

  beforeAll(async () => {
    simulator = await startSimulator({ port: 0, host: '127.0.0.1', log: (entry) => logged.push(entry) });
  });
  afterAll(() => simulator.close());
  beforeEach(() => {
    simulator.journal.clear();
  });

  async function post(
    directive: object,
    {
      path = '/v1/chat/completions',
      signal,
      ...body
    }: Record<string, unknown> & { signal?: AbortSignal } = {},
  ): Promise<Response> {
    const content = `@simulator ${JSON.stringify(directive)}`;
    return fetch(`${simulator.url}${path as string}`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content }], ...body }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  async function arrivedFrames(response: Response): Promise<{ texts: string[]; broke: boolean }> {
    let received = '';
    const decoder = new TextDecoder();
    let broke = false;
    try {
      for await (const chunk of response.body ?? []) received += decoder.decode(chunk, { stream: true });
    } catch {
      broke = true;
    }
    return { texts: received.split('\n\n').slice(0, -1), broke };
  }

  it('marks every answer as simulated', async () => {
    for (const path of ['/healthz', '/v1/models', '/v1/nothing', '/__simulator/journal']) {
      expect((await fetch(simulator.url + path)).headers.get('x-svc-simulator')).toBe('1');
    }
    for (const directive of [{}, { status: 500 }, { malformed: true }]) {
      expect((await post(directive)).headers.get('x-svc-simulator')).toBe('1');
    }
  });

  it('answers a directed status, headers and body in place of its own', async () => {
    const response = await post({
      status: 503,
      headers: { 'content-type': 'text/html' },
      body: '<h1>down</h1>',
    });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      503,
      'text/html',
      '<h1>down</h1>',
    ]);
    const shaped = await post({ status: 402, error_message: 'no money' }, { path: '/v1/messages' });
    expect(await shaped.json()).toMatchObject({
      type: 'error',
      error: { type: 'billing_error', message: 'no money' },
    });
  });

  it('obeys a directive of the header, and answers 400 to a wrong one', async () => {
    const withHeader = async (directive: string) =>
      fetch(`${simulator.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'x-simulator': directive },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }] }),
      });
    expect((await withHeader('{"status":418}')).status).toBe(418);
    const wrong = await withHeader('{"statsu":418}');
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain('statsu');
  });

  it('fails one model of a plan and answers for the next', async () => {
    const directive = { only_model: 'primary', status: 500 };
    expect((await post(directive, { model: 'primary' })).status).toBe(500);
    expect((await post(directive, { model: 'secondary' })).status).toBe(200);
  });

  it.each([401, 402, 403, 429])('answers %d to one credential alone', async (status) => {
    const directive = { only_credential: 'sk-one', status };
    const content = `@simulator ${JSON.stringify(directive)}`;
    const body = JSON.stringify({ model: 'm', max_tokens: 100, messages: [{ role: 'user', content }] });
    const statusOf = async (headers: Record<string, string>) =>
      (await fetch(`${simulator.url}/v1/chat/completions`, { method: 'POST', body, headers })).status;
    expect(await statusOf({ authorization: 'Bearer sk-one' })).toBe(status);
    expect(await statusOf({ 'x-api-key': 'sk-one' })).toBe(status);
    expect(await statusOf({ authorization: 'Bearer sk-two' })).toBe(200);
  });

  it('waits before the head and between frames', async () => {
    const startedAt = performance.now();
    const response = await post({ delay_ms: 60, chunk_delay_ms: 30, reply: 'a b' }, { stream: true });
    const headAfterMs = performance.now() - startedAt;
    await response.text();
    expect(headAfterMs).toBeGreaterThan(55);
    expect(performance.now() - startedAt - headAfterMs).toBeGreaterThan(100);
  });

  it.each([0, 1, 3])('breaks a stream after %i frames, all of which arrive', async (frameCount) => {
    const response = await post({ cut_after: frameCount, reply: 'a b c d e' }, { stream: true });
    expect(await arrivedFrames(response)).toMatchObject({ broke: true, texts: { length: frameCount } });
    await eventually(() => {
      expect(simulator.journal.entries()).toMatchObject([{ status: 200, outcome: 'interrupted' }]);
    });
  });

  it('breaks a plain answer in the middle of its promised length', async () => {
    const response = await post({ cut_after: 0 });
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(100);
    await expect(response.text()).rejects.toThrow();
  });

  it('ends a stream early but cleanly, without its terminator', async () => {
    const { texts, broke } = await arrivedFrames(await post({ end_after: 2 }, { stream: true }));
    expect([broke, texts.length]).toEqual([false, 2]);
    const plain = await (await post({ end_after: 0 })).text();
    expect(() => JSON.parse(plain) as unknown).toThrow(SyntaxError);
  });

  it('breaks instead of ending when the fault is due after the last frame', async () => {
    const whole = await arrivedFrames(await post({ reply: 'a' }, { stream: true }));
    const { texts, broke } = await arrivedFrames(
      await post({ reply: 'a', cut_after: whole.texts.length }, { stream: true }),
    );
    expect([broke, texts.at(-1)]).toEqual([true, 'data: [DONE]']);
  });

  it.each(['/v1/chat/completions', '/v1/messages'])(
    'sends an error within a stream and ends it, at %s',
    async (path) => {
      const frames = await readSse(
        await post({ error_after: 2, error_message: 'oops' }, { path, stream: true }),
      );
      expect(frames).toHaveLength(3);
      expect(frames[2]).toMatchObject({
        event: path === '/v1/messages' ? 'error' : null,
        json: { error: { message: 'oops' } },
      });
      const plain = await post({ error_after: 2, error_message: 'oops' }, { path });
      expect([plain.status, await plain.json()]).toMatchObject([200, { error: { message: 'oops' } }]);
    },
  );

  it('answers 200 with a body that violates the protocol', async () => {
    const plain = await post({ malformed: true });
    expect([plain.status, await plain.json()]).toMatchObject([
      200,
      { simulator: expect.any(String) as string },
    ]);
    const streamed = await readSse(await post({ malformed: true }, { stream: true }));
    expect(streamed).toMatchObject([{ json: undefined }]);
  });

  it.each(['/v1/chat/completions', '/v1/messages'])('leaves usage out when directed, at %s', async (path) => {
    const bodies = [
      await (await post({ no_usage: true }, { path })).text(),
      await (
        await post({ no_usage: true }, { path, stream: true, stream_options: { include_usage: true } })
      ).text(),
    ];
    for (const body of bodies) expect(body).not.toMatch(/_tokens/);
  });

  it('notices a client that disconnects from a stalled stream, a stalled body and a delay', async () => {
    for (const [directive, body] of [
      [{ stall_after: 2 }, { stream: true }],
      [{ stall_after: 0 }, {}],
      [{ delay_ms: 60_000 }, {}],
    ] as const) {
      simulator.journal.clear();
      const leaving = new AbortController();
      const response = post(directive, { ...body, signal: leaving.signal });
      response.catch(() => undefined);
      await eventually(() => {
        expect(simulator.journal.counters()).toMatchObject({ received: 1, in_flight: 1 });
      });
      if (!('delay_ms' in directive)) await response;
      expect(simulator.journal.entries()).toEqual([]);
      leaving.abort();
      await eventually(() => {
        expect(simulator.journal.entries()).toMatchObject([
          { outcome: 'interrupted', status: 'delay_ms' in directive ? null : 200 },
        ]);
      });
    }
  });

  it('keeps a journal of calls without their contents, in process and over HTTP', async () => {
    await (await post({ reply: 'private words' }, { stream: true })).text();
    const entry: JournalEntry = {
      at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      path: '/v1/chat/completions',
      model: 'm',
      stream: true,
      directive: ['reply'],
      bytes: expect.any(Number) as number,
      status: 200,
      outcome: 'delivered',
      authorization: 'absent',
    };
    expect(simulator.journal.entries()).toEqual([entry]);
    expect(logged.at(-1)).toEqual(entry);
    const journalUrl = `${simulator.url}/__simulator/journal`;
    const text = await (await fetch(journalUrl)).text();
    expect(text).not.toContain('private');
    expect(JSON.parse(text)).toEqual({
      entries: [entry],
      counters: { received: 1, delivered: 1, interrupted: 0, in_flight: 0 },
    });
    expect((await fetch(journalUrl, { method: 'DELETE' })).status).toBe(204);
    expect(simulator.journal.entries()).toEqual([]);
  });

  it('takes a body of 50 MB and counts the window that it reads', async () => {
    const content = `${'lorem "ipsum" \n'.repeat(3_400_000)} the end`;
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] });
    const response = await fetch(`${simulator.url}/v1/chat/completions`, { method: 'POST', body });
    expect(await response.json()).toMatchObject({
      choices: [{ message: { content: expect.stringMatching(/the end$/) as string } }],
      usage: { prompt_tokens: 200_000 },
    });
    expect(simulator.journal.entries()).toMatchObject([{ bytes: Buffer.byteLength(body) }]);
  });

  it('sends no faster than the client reads', async () => {
    const content = '@simulator {"reply_words":200000}';
    const body = JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content }] });
    const answers: ServerResponse[] = [];
    const watch = (message: unknown) => answers.push((message as { response: ServerResponse }).response);
    subscribe(REQUEST_STARTS, watch);
    const slowReader = connect(simulator.port, '127.0.0.1').pause();
    slowReader.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: ${String(body.length)}\r\n\r\n${body}`,
    );
    await eventually(() => expect(answers[0]?.writableNeedDrain).toBe(true));
    unsubscribe(REQUEST_STARTS, watch);
    await setTimeout(100);
    expect(simulator.journal.counters()).toMatchObject({ in_flight: 1 });
    // The whole stream has 55 MB.
    expect(answers[0]?.writableLength).toBeLessThan(1e6);
    slowReader.destroy();
    await eventually(() => {
      expect(simulator.journal.entries()).toMatchObject([{ outcome: 'interrupted' }]);
    });
  });

  it('records a client that disconnects in the middle of its body', async () => {
    const leaving = new AbortController();
    const half = fetch(`${simulator.url}/v1/chat/completions`, {
      method: 'POST',
      body: new ReadableStream({
        start: (controller) => {
          controller.enqueue(Buffer.from('{"model":'));
        },
      }),
      duplex: 'half',
      signal: leaving.signal,
    });
    half.catch(() => undefined);
    await eventually(() => {
      expect(simulator.journal.counters().in_flight).toBe(1);
    });
    leaving.abort();
    await eventually(() => {
      expect(simulator.journal.entries()).toMatchObject([
        { model: null, status: null, outcome: 'interrupted' },
      ]);
    });
  });

  it('answers unknown paths in the error shape of their protocol', async () => {
    const chat = await fetch(`${simulator.url}/v1/images`, { method: 'POST', body: '{}' });
    expect([chat.status, await chat.json()]).toMatchObject([404, { error: { code: 'unknown_url' } }]);
    const message = await fetch(`${simulator.url}/v1/messages/batches`);
    expect([message.status, await message.json()]).toMatchObject([404, { type: 'error' }]);
    expect(simulator.journal.entries()).toMatchObject([
      { path: '/v1/images', model: null, status: 404, outcome: 'delivered' },
      { path: '/v1/messages/batches', status: 404 },
    ]);
  });

  it('answers 401 to calls without the required key', async () => {
    const locked = await startSimulator({ port: 0, host: '127.0.0.1', requireKey: 'right' });
    const call = async (headers: Record<string, string>) => {
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x' }] });
      return (await fetch(`${locked.url}/v1/chat/completions`, { method: 'POST', headers, body })).status;
    };
    expect(await call({ authorization: 'Bearer right' })).toBe(200);
    expect(await call({ 'x-api-key': 'right' })).toBe(200);
    expect(await call({ authorization: 'Bearer wrong' })).toBe(401);
    expect(await call({})).toBe(401);
    expect(locked.journal.entries().map(({ authorization }) => authorization)).toEqual([
      'present',
      'present',
      'present',
      'absent',
    ]);
    await locked.close();
  });

  it('closes stalled calls at once, and drains running ones when given the time', async () => {
    const stalled = await startSimulator({ port: 0, host: '127.0.0.1' });
    const running = await startSimulator({ port: 0, host: '127.0.0.1' });
    const body = (directive: object) =>
      JSON.stringify({
        model: 'm',
        stream: true,
        messages: [{ role: 'user', content: `@simulator ${JSON.stringify(directive)}` }],
      });
    const stall = await fetch(`${stalled.url}/v1/chat/completions`, {
      method: 'POST',
      body: body({ stall_after: 1 }),
    });
    const run = await fetch(`${running.url}/v1/chat/completions`, {
      method: 'POST',
      body: body({ chunk_delay_ms: 30 }),
    });
    const closing = running.close(NEVER_MS);
    await stalled.close();
    await expect(stall.text()).rejects.toThrow();
    expect(await run.text()).toContain('[DONE]');
    // It waits for the running call, and not for all the time that it is given.
    await closing;
  });

  it('refuses to start on a port that is taken', async () => {
    await expect(startSimulator({ port: simulator.port, host: '127.0.0.1' })).rejects.toThrow('EADDRINUSE');
  });
});
