import { type Dispatcher } from 'undici';
import { UpstreamCall } from './upstream-call';

const TIMEOUTS = { firstByteMs: 10_000, idleMs: 10_000 };
const afterThisTurn = () => new Promise<'nothing yet'>((resolve) => setImmediate(resolve, 'nothing yet'));

/** An upstream that the spec scripts. */
function answering({ coalesceMs = 5_000 } = {}) {
  const call = new UpstreamCall(TIMEOUTS, new AbortController().signal, coalesceMs);
  let whenResumed: () => void = () => undefined;
  const controller = {
    pause: () => undefined,
    resume: () => {
      whenResumed();
    },
  } as Dispatcher.DispatchController;
  call.onRequestStart(controller);
  return {
    comes: (...chunks: string[]) => {
      for (const chunk of chunks) call.onResponseData(controller, Buffer.from(chunk));
    },
    ends: () => {
      call.onResponseEnd();
    },
    breaks: () => {
      call.onResponseError(controller, new Error('broken'));
    },
    /** Runs once the paused socket is resumed. */
    onceResumed: (rest: () => void) => {
      whenResumed = () => {
        whenResumed = () => undefined;
        rest();
      };
    },
    /** The next chunk, or null at the end. */
    read: async () => {
      const { done, value } = await call.next();
      return done === true ? null : Buffer.from(value).toString();
    },
  };
}

/** An upstream whose first chunk, `a`, was just delivered, and a reader that waits for more. */
async function answeringOn(options?: Parameters<typeof answering>[0]) {
  const upstream = answering(options);
  upstream.comes('a');
  expect(await upstream.read()).toBe('a');
  return { upstream, reading: upstream.read() };
}

describe('a chunk of an answer', () => {
  it('that comes first is delivered in the same turn of the event loop, in one piece', async () => {
    const upstream = answering();
    const reading = upstream.read();
    upstream.comes('a', 'b', 'c');
    expect(await Promise.race([reading, afterThisTurn()])).toBe('abc');
    upstream.ends();
  });

  it('right after it is coalesced with the next, but not for long', async () => {
    const { upstream, reading } = await answeringOn({ coalesceMs: 200 });
    upstream.comes('b');
    await afterThisTurn();
    upstream.comes('c');
    expect(await reading).toBe('bc');
    upstream.ends();
  });

  it('at the end is delivered at once', async () => {
    const { upstream, reading } = await answeringOn();
    upstream.comes('b');
    upstream.ends();
    expect(await Promise.race([reading, afterThisTurn()])).toBe('b');
    expect(await upstream.read()).toBeNull();
  });

  it('above the bound of unread bytes is delivered at once', async () => {
    const { upstream, reading } = await answeringOn();
    const much = 'b'.repeat(70_000);
    upstream.comes(much);
    expect(await Promise.race([reading, afterThisTurn()])).toBe(much);
    upstream.ends();
  });

  it('that arrives after a pause is delivered next, and then the end', async () => {
    const { upstream, reading } = await answeringOn();
    const much = 'b'.repeat(70_000);
    upstream.onceResumed(() => {
      upstream.comes('c');
      upstream.ends();
    });
    upstream.comes(much);
    expect(await reading).toHaveLength(much.length);
    expect(await upstream.read()).toBe('c');
    expect(await upstream.read()).toBeNull();
  });

  it('before a failure is delivered before that failure', async () => {
    const { upstream, reading } = await answeringOn();
    upstream.comes('b');
    upstream.breaks();
    expect(await reading).toBe('b');
    await expect(upstream.read()).rejects.toThrow('broken');
  });
});
