import { type Dispatcher } from 'undici';
import { UpstreamCall } from './upstream-call';

const SILENCE = { firstByteMs: 10_000, idleMs: 10_000 };
const afterThisTurn = () => new Promise<'nothing yet'>((resolve) => setImmediate(resolve, 'nothing yet'));

/** An upstream of which the spec says what comes, and when. */
function answering({ paceMs = 5_000 } = {}) {
  const call = new UpstreamCall(SILENCE, new AbortController().signal, paceMs);
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
    /** What the socket had behind what made it wait. */
    onceResumed: (rest: () => void) => {
      whenResumed = () => {
        whenResumed = () => undefined;
        rest();
      };
    },
    /** What a reader who begins to wait now is given, or null at the end. */
    read: async () => {
      const { done, value } = await call.next();
      return done === true ? null : Buffer.from(value).toString();
    },
  };
}

/** One whose first piece, `a`, was handed on a moment ago, with a reader who waits for more. */
async function answeringOn(options?: Parameters<typeof answering>[0]) {
  const upstream = answering(options);
  upstream.comes('a');
  expect(await upstream.read()).toBe('a');
  return { upstream, reading: upstream.read() };
}

describe('what comes of an answer', () => {
  it('first is handed on in the turn in which it came, in one piece', async () => {
    const upstream = answering();
    const reading = upstream.read();
    upstream.comes('a', 'b', 'c');
    expect(await Promise.race([reading, afterThisTurn()])).toBe('abc');
    upstream.ends();
  });

  it('right after it waits for what comes next, but not for long', async () => {
    const { upstream, reading } = await answeringOn({ paceMs: 200 });
    upstream.comes('b');
    await afterThisTurn();
    upstream.comes('c');
    expect(await reading).toBe('bc');
    upstream.ends();
  });

  it('at the end waits for nothing', async () => {
    const { upstream, reading } = await answeringOn();
    upstream.comes('b');
    upstream.ends();
    expect(await Promise.race([reading, afterThisTurn()])).toBe('b');
    expect(await upstream.read()).toBeNull();
  });

  it('of more than may be unread waits for nothing', async () => {
    const { upstream, reading } = await answeringOn();
    const much = 'b'.repeat(70_000);
    upstream.comes(much);
    expect(await Promise.race([reading, afterThisTurn()])).toBe(much);
    upstream.ends();
  });

  it('behind what made it wait, its end with it, is handed on after that', async () => {
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

  it('before it broke off is handed on before the failure', async () => {
    const { upstream, reading } = await answeringOn();
    upstream.comes('b');
    upstream.breaks();
    expect(await reading).toBe('b');
    await expect(upstream.read()).rejects.toThrow('broken');
  });
});
