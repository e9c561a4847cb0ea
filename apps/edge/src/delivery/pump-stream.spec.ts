import { ChatStreamRelay } from '@svc/protocol';
import { type StreamExchange } from '../dispatch/exchange';
import { pumpStream } from './pump-stream';

const COMMENT = /^:.*\n\n$/;
const frame = (choice: object): string =>
  `data: ${JSON.stringify({ model: 'small-1', choices: [{ index: 0, ...choice }] })}\n\n`;
const TEXT = frame({ delta: { content: 'Hi' } });
const LAST = `${frame({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`;

/** A stream that the test scripts. */
function openStream() {
  let say: (frames: string) => void = () => undefined;
  const written: string[] = [];
  const rest: AsyncIterator<Uint8Array> = {
    next: () =>
      new Promise((resolve) => {
        say = (frames) => {
          resolve({ done: false, value: Buffer.from(frames) });
        };
      }),
    return: () => Promise.resolve({ done: true, value: undefined }),
  };
  const relay = new ChatStreamRelay({ model: 'acme/small', usageRequested: false, choices: 1 });
  const exchange: Pick<StreamExchange, 'relay' | 'passed' | 'rest' | 'redact'> = {
    relay,
    passed: relay.push(Buffer.from(TEXT)),
    rest,
    redact: (message) => message,
  };
  const reply = {
    disconnected: new AbortController().signal,
    write: (pieces: readonly Uint8Array[]) => {
      if (pieces.length > 0) written.push(Buffer.concat(pieces).toString());
      return Promise.resolve();
    },
  };
  const ended = pumpStream(exchange, reply, null);
  const comments = (): number => written.filter((piece) => COMMENT.test(piece)).length;
  return {
    ended,
    comments,
    written,
    say: (frames: string) => {
      say(frames);
    },
  };
}

describe('a stream whose provider is idle', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());
  const passes = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  it('sends its caller a keep-alive comment every 15 s', async () => {
    const { comments } = openStream();
    await passes(14_999);
    expect(comments()).toBe(0);
    await passes(1);
    expect(comments()).toBe(1);
    await passes(30_000);
    expect(comments()).toBe(3);
  });

  it('counts from the last frame, and sends no comment after the end', async () => {
    const { comments, say, ended, written } = openStream();
    await passes(10_000);
    say(TEXT);
    await passes(14_999);
    expect(comments()).toBe(0);
    await passes(1);
    expect(comments()).toBe(1);
    say(LAST);
    expect(await ended).toBeNull();
    await passes(60_000);
    expect(comments()).toBe(1);
    expect(written.join('').replaceAll(/^:.*\n\n/gm, '')).toContain('acme/small');
  });
});
