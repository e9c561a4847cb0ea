import { readSse } from './sse';
import { ScriptedUpstream } from './scripted-upstream';

describe('ScriptedUpstream', () => {
  it('answers in the scripted order and records the calls', async () => {
    const upstream = await ScriptedUpstream.start();
    upstream.next((_incoming, response) => void response.end('first'));
    upstream.next(async (_incoming, response) => {
      await Promise.resolve();
      response.writeHead(201).end('second');
    });
    const first = await fetch(`${upstream.url}/a?b=1`, {
      method: 'POST',
      body: 'hello',
      headers: { 'x-a': '1' },
    });
    const second = await fetch(upstream.url);
    expect([await first.text(), await second.text(), second.status]).toEqual(['first', 'second', 201]);
    const [call] = upstream.received;
    expect(call).toMatchObject({ method: 'POST', path: '/a?b=1' });
    expect([call?.body.toString(), call?.headers['x-a'], await call?.answered]).toEqual(['hello', '1', true]);
    await upstream.close();
  });

  it('makes a cut stream fail and reports that a client disconnected', async () => {
    const upstream = await ScriptedUpstream.start();
    upstream.next((_incoming, response) => {
      response.write('data: 1\n\n');
      setTimeout(() => response.socket?.destroy(), 20);
    });
    await expect(readSse(await fetch(upstream.url))).rejects.toThrow();

    upstream.next((_incoming, response) => void response.write('data: 1\n\n'));
    const leaving = new AbortController();
    await fetch(upstream.url, { signal: leaving.signal });
    leaving.abort();
    expect(await upstream.received[1]?.answered).toBe(false);
    await upstream.close();
  });

  it('throws on close after a call without a scripted answer', async () => {
    const upstream = await ScriptedUpstream.start();
    expect((await fetch(upstream.url)).status).toBe(500);
    await expect(upstream.close()).rejects.toThrow(AggregateError);
  });
});
