import fc from 'fast-check';
import { decodeUtf8, encodeUtf8 } from '../json/byte-text';
import { ChatStreamRelay } from './chat-stream-relay';

const head = '"id":"chatcmpl-1","object":"chat.completion.chunk","created":1767225600,"model":"s-1-2026"';
const frame = (rest: string): string => `data: {${head},${rest}}\n\n`;
const delta = (text: string, index = 0): string =>
  frame(
    `"choices":[{"index":${String(index)},"delta":{"content":${JSON.stringify(text)}},"finish_reason":null}]`,
  );
const role = (index = 0): string =>
  frame(
    `"choices":[{"index":${String(index)},"delta":{"role":"assistant","content":""},"finish_reason":null}]`,
  );
const finish = (index = 0): string =>
  frame(`"choices":[{"index":${String(index)},"delta":{},"finish_reason":"stop"}]`);
const usage = frame('"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"total_tokens":13}');
const done = 'data: [DONE]\n\n';
const svc = { provider: 'acme' };

interface Played {
  readonly relay: ChatStreamRelay;
  /** The text that the caller got before the end of the stream. */
  readonly passed: string;
  /** All that the caller got. */
  readonly whole: string;
}

function play(
  stream: string,
  {
    usageRequested = false,
    choices = 1,
    cuts = [],
    warnings = [],
  }: {
    usageRequested?: boolean;
    choices?: number;
    cuts?: readonly number[];
    warnings?: unknown[];
  } = {},
): Played {
  const relay = new ChatStreamRelay({ model: 'acme/small', usageRequested, choices });
  const bytes = encodeUtf8(stream);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const pieces = places.flatMap((from, index) => relay.push(bytes.subarray(from, places[index + 1] ?? from)));
  relay.end();
  const passed = Buffer.concat(pieces).toString();
  const last = relay.state === 'complete' ? relay.finish({ svc, warnings }) : [];
  return { relay, passed, whole: passed + Buffer.concat(last).toString() };
}

/** A chunk with the usage that compatible servers put into it. */
const withUsage = (chunk: string): string =>
  chunk.replace(/\}\n\n$/, ',"usage":{"prompt_tokens":9,"completion_tokens":4}}\n\n');
const renamed = (stream: string): string => stream.replaceAll('"model":"s-1-2026"', '"model":"acme/small"');
const withSvc = (carrier: string): string => carrier.replace(/\}\n\n$/, ',"svc":{"provider":"acme"}}\n\n');

describe('a chat stream', () => {
  const text = role() + delta('Hello') + delta(' wörld "model":"s-1-2026" \\ 漢') + finish();

  it('passes unchanged except for the model’s name and svc on the frame with the finish reason', () => {
    const { relay, whole } = play(text + usage + done);
    const expected = renamed(text);
    const last = renamed(finish());
    expect(whole).toBe(expected.slice(0, -last.length) + withSvc(last) + done);
    expect(relay).toMatchObject({ state: 'complete', usage: { inputTokens: 9, outputTokens: 4 } });
  });

  it.each([
    ['the last chunk of a choice', role() + delta('Hi'), finish()],
    ['every chunk', withUsage(role()) + withUsage(delta('Hi')), finish()],
  ])('shows no usage to a caller that did not ask, where the upstream has it in %s', (_, begun, last) => {
    const { relay, whole } = play(begun + withUsage(last) + done);
    expect(relay.usage).toMatchObject({ inputTokens: 9, outputTokens: 4 });
    expect(whole).toBe(renamed(role() + delta('Hi')) + withSvc(renamed(last)) + done);
    const asked = play(begun + withUsage(last) + done, { usageRequested: true });
    expect(asked.whole).toContain('"usage":{');
  });

  it('carries svc and warnings on the usage frame when the caller asked for usage', () => {
    const { whole } = play(text + usage + done, { usageRequested: true, warnings: [{ param: 'seed' }] });
    const last = renamed(usage).replace(
      /\}\n\n$/,
      ',"svc":{"provider":"acme"},"warnings":[{"param":"seed"}]}\n\n',
    );
    expect(whole).toBe(renamed(text) + last + done);
  });

  it('carries svc on the finish reason when usage was requested and never came', () => {
    const { relay, whole } = play(text + done, { usageRequested: true });
    expect(whole.endsWith(withSvc(renamed(finish())) + done)).toBe(true);
    expect(relay.usage).toBeNull();
  });

  it('forwards frames with "usage":null, as OpenAI sends them when usage was requested', () => {
    const nulled = text.replaceAll('"choices"', '"usage":null,"choices"');
    const { relay, passed } = play(nulled + usage + done, { usageRequested: true });
    expect(passed).toBe(renamed(nulled.slice(0, nulled.lastIndexOf('data: '))));
    expect(relay.usage).toMatchObject({ outputTokens: 4 });
  });

  it('forwards the upstream’s white space and unknown members', () => {
    const odd =
      'data: {"x_new": 1.0, "model" : "s-1-2026", "choices": [ {"index":0,"delta":{"content":"a"}} ]}\n\n';
    expect(play(odd + odd + finish() + done).passed).toBe(
      (odd + odd).replaceAll('"model" : "s-1-2026"', '"model":"acme/small"'),
    );
  });

  it('relays several choices, each finish reason in its place', () => {
    const stream =
      role(0) +
      role(1) +
      delta('a', 0) +
      finish(0) +
      delta('b', 1) +
      delta('c', 1) +
      finish(1) +
      usage +
      done;
    const { whole } = play(stream, { choices: 2 });
    const body = renamed(stream.slice(0, stream.indexOf(finish(1))));
    expect(whole).toBe(body + withSvc(renamed(finish(1))) + done);
  });

  it('keeps frames that follow the finish reason without a choice behind it', () => {
    const moderation = frame('"choices":[],"moderation":{"flagged":false}');
    const { whole } = play(text + moderation + usage + done);
    expect(whole.endsWith(withSvc(renamed(finish())) + renamed(moderation) + done)).toBe(true);
  });

  it('relays parallel tool calls and counts their arguments', () => {
    const call = (index: number, rest: string): string =>
      frame(
        `"choices":[{"index":0,"delta":{"tool_calls":[{"index":${String(index)},${rest}}]},"finish_reason":null}]`,
      );
    const stream =
      role() +
      call(0, '"id":"call_1","type":"function","function":{"name":"f","arguments":""}') +
      call(0, '"function":{"arguments":"{\\"a\\":"}') +
      call(1, '"id":"call_2","type":"function","function":{"name":"g","arguments":""}') +
      call(1, '"function":{"arguments":"{}"}') +
      call(0, '"function":{"arguments":"1}"}');
    const { relay, passed } = play(stream + finish() + done);
    expect(passed).toBe(renamed(stream));
    expect(relay.outputBytes).toBe('{\\"a\\":'.length + '{}'.length + '1}'.length);
  });

  it('counts the bytes of text, refusal and reasoning, and nothing else', () => {
    const refusal = frame('"choices":[{"index":0,"delta":{"refusal":"No"},"finish_reason":null}]');
    const reasoning = frame(
      '"choices":[{"index":0,"delta":{"reasoning_content":"Hm"},"finish_reason":null}]',
    );
    expect(play(role() + delta('漢') + refusal + reasoning + finish() + usage).relay.outputBytes).toBe(
      3 + 2 + 2,
    );
  });

  it('counts the text of every choice of a frame, also of frames with the same prefix', () => {
    const both = frame(
      '"choices":[{"index":0,"delta":{"content":"ab"}},{"index":1,"delta":{"content":"cde"}}]',
    );
    const { relay, passed } = play(role() + both + both + both);
    expect(relay.outputBytes).toBe(15);
    expect(passed).toBe(renamed(role() + both + both + both));
  });

  it('uses the last of several cumulative usage reports', () => {
    const counted = (count: number): string =>
      frame(
        `"choices":[{"index":0,"delta":{"content":"a"}}],"usage":{"prompt_tokens":9,"completion_tokens":${String(count)}}`,
      );
    const stream = role() + counted(1) + counted(2) + finish() + done;
    const { relay, passed } = play(stream, { usageRequested: true });
    expect(relay.usage).toMatchObject({ outputTokens: 2 });
    expect(passed).toBe(renamed(role() + counted(1) + counted(2)));
  });

  it('drops comments and accepts CRLF, a byte order mark and a model name that changes', () => {
    const azure = 'data: {"id":"","model":"","choices":[],"prompt_filter_results":[]}\n\n';
    const stream = `\ufeff: hi\n\n${azure}${text}${done}`.replaceAll('\n', '\r\n');
    const { relay, passed } = play(stream);
    expect(relay.state).toBe('complete');
    expect(passed.startsWith('data: {"id":"","model":"acme/small","choices":[]')).toBe(true);
    expect(passed).not.toContain('"model":"s-1-2026"');
  });

  it('returns no bytes before the answer has begun', () => {
    const relay = new ChatStreamRelay({ model: 'acme/small', usageRequested: false, choices: 1 });
    expect(relay.push(encodeUtf8(': hi\n\n' + frame('"choices":[]')))).toEqual([]);
    expect(relay.started).toBe(false);
    expect(decodeUtf8(relay.push(encodeUtf8(role()))[0]!)).toBe(renamed(frame('"choices":[]') + role()));
    expect(relay.started).toBe(true);
  });

  it('returns the same bytes however the upstream’s are cut', () => {
    const stream = text + delta('更', 1) + finish(1) + usage + done;
    const expected = play(stream, { choices: 2, usageRequested: true }).whole;
    fc.assert(
      fc.property(fc.array(fc.nat()), (cuts) => {
        expect(play(stream, { choices: 2, usageRequested: true, cuts }).whole).toBe(expected);
      }),
    );
    const crlf = stream.replaceAll('\n', '\r\n');
    const expectedCrlf = play(crlf, { choices: 2 }).whole;
    fc.assert(
      fc.property(fc.array(fc.nat()), (cuts) => {
        expect(play(crlf, { choices: 2, cuts }).whole).toBe(expectedCrlf);
      }),
    );
  });
});

describe('the end of a chat stream', () => {
  it.each([
    ['after a finish reason and no terminator', role() + finish(), 'complete'],
    ['after usage and no terminator', role() + finish() + usage, 'complete'],
    ['after a terminator without its empty line', role() + finish() + 'data: [DONE]', 'complete'],
    ['after a terminator and no finish reason', role() + delta('a') + done, 'complete'],
    ['in the middle', role() + delta('a'), 'failed'],
    ['in a frame', role() + finish() + usage.slice(0, -9), 'failed'],
    ['before anything', '', 'failed'],
    ['with a terminator alone', done, 'failed'],
    ['in an answer that is no stream', '{"choices":[{"message":{}}]}', 'failed'],
  ])('%s is %s', (_, stream, state) => {
    expect(play(stream).relay.state).toBe(state);
  });

  it('comes too early while one of several choices has not finished', () => {
    expect(play(role(0) + role(1) + finish(0), { choices: 2 }).relay.state).toBe('failed');
    expect(play(role(0) + role(1) + finish(0) + finish(1), { choices: 2 }).relay.state).toBe('complete');
  });

  it('carries svc even when no frame has a finish reason', () => {
    const { whole } = play(role() + done);
    expect(JSON.parse(whole.split('\n\n').at(-3)!.slice(6))).toMatchObject({
      model: 'acme/small',
      choices: [],
      svc,
    });
  });

  it('can be finished only when it is complete', () => {
    const { relay } = play(role());
    expect(() => relay.finish({ svc })).toThrow();
  });
});

describe('a chat stream that fails', () => {
  it.each([
    [
      'an error of OpenAI’s form',
      'data: {"error":{"message":"Overloaded.","type":"server_error","code":null}}\n\n',
      { message: 'Overloaded.', code: 'server_error' },
    ],
    [
      'an error with a status',
      frame('"choices":[],"error":{"message":"Slow down.","code":429}'),
      { message: 'Slow down.', status: 429 },
    ],
    ['an error event', 'event: error\ndata: {"message":"Bad."}\n\n', { message: 'Bad.' }],
    [
      'an error without a message',
      'data: {"error":{}}\n\n',
      { message: 'The provider reported an error in its stream.' },
    ],
    ['what is not JSON', 'data: secret\n\n', { message: 'The provider’s stream broke its protocol.' }],
    [
      'choices that are no list',
      'data: {"choices":{}}\n\n',
      { message: 'The provider’s stream broke its protocol.' },
    ],
    ['half a chunk', 'data: {"choices":[\n\n', { message: 'The provider’s stream broke its protocol.' }],
  ])('by %s says so, and passes on what came before', (_, broken, failure) => {
    const { relay, passed } = play(role() + delta('a') + broken + delta('b') + finish() + done);
    expect(relay.state).toBe('failed');
    expect(relay.failure).toEqual(failure);
    expect(passed).toBe(renamed(role() + delta('a')));
    expect(play(broken).passed).toBe('');
  });

  it('treats text that looks like an error as text', () => {
    expect(
      play(role() + delta('{"error":{"message":"x"},"usage":{},"finish_reason":"stop"}') + finish()).relay,
    ).toMatchObject({
      state: 'complete',
      usage: null,
    });
  });

  const nothing = `data: ${JSON.stringify({ choices: [], filling: 'x'.repeat(1024 * 1024) })}\n\n`;
  it.each([
    ['a frame without end', '', 'a'.repeat(1024 * 1024)],
    ['what comes before the answer and has no end', '', nothing],
    ['what comes after the answer and has no end', role() + delta('a') + finish(), nothing],
  ])('does so at %s, within bounded memory', (_, before, without) => {
    const relay = new ChatStreamRelay({ model: 'acme/small', usageRequested: false, choices: 1 });
    relay.push(Buffer.from(before));
    const chunk = Buffer.from(without);
    for (let pushed = 0; pushed < 70 && relay.state === 'open'; pushed++) relay.push(chunk);
    expect(relay.state).toBe('failed');
  });

  it('does not fail at any length of an answer that is forwarded', () => {
    const relay = new ChatStreamRelay({ model: 'acme/small', usageRequested: false, choices: 1 });
    const chunk = Buffer.from(role() + delta('x'.repeat(1024 * 1024)));
    for (let pushed = 0; pushed < 70; pushed++) relay.push(chunk);
    expect(relay.state).toBe('open');
  });
});
