import fc from 'fast-check';
import { encodeUtf8 } from '../json/byte-text';
import { MessageStreamRelay } from './message-stream-relay';

const frame = (event: string, rest = ''): string => `event: ${event}\ndata: {"type":"${event}"${rest}}\n\n`;
const start = frame(
  'message_start',
  ',"message":{"id":"msg_1","type":"message","role":"assistant","model":"s-1","content":[],"stop_reason":null,' +
    '"usage":{"input_tokens":25,"cache_creation_input_tokens":3,"cache_read_input_tokens":7,"output_tokens":1}}',
);
const block = (index: number, content: string): string =>
  frame('content_block_start', `,"index":${String(index)},"content_block":${content}`);
const delta = (index: number, content: string): string =>
  frame('content_block_delta', `,"index":${String(index)},"delta":${content}`);
const blockStop = (index: number): string => frame('content_block_stop', `,"index":${String(index)}`);
const ping = frame('ping');
const messageDelta = frame(
  'message_delta',
  ',"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"input_tokens":null,"output_tokens":42}',
);
const stop = frame('message_stop');
const svc = { provider: 'acme' };

const thinking =
  block(0, '{"type":"thinking","thinking":"","signature":""}') +
  ping +
  delta(0, '{"type":"thinking_delta","thinking":"Hm. \\"model\\":\\"s-1\\""}') +
  delta(0, '{"type":"signature_delta","signature":"EqQBCgIYAhIM1gbcDa9GJwZA2b3h"}') +
  blockStop(0);
const text =
  block(1, '{"type":"text","text":""}') + delta(1, '{"type":"text_delta","text":"漢字"}') + blockStop(1);
const tool =
  block(2, '{"type":"tool_use","id":"toolu_1","name":"f","input":{}}') +
  delta(2, '{"type":"input_json_delta","partial_json":""}') +
  delta(2, '{"type":"input_json_delta","partial_json":"{\\"a\\": 1}"}') +
  blockStop(2);

function play(stream: string, cuts: readonly number[] = [], warnings: unknown[] = []) {
  const relay = new MessageStreamRelay({ model: 'acme/small' });
  const bytes = encodeUtf8(stream);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const pieces = places.flatMap((from, index) => relay.push(bytes.subarray(from, places[index + 1] ?? from)));
  relay.end();
  const passed = Buffer.concat(pieces).toString();
  const last = relay.state === 'complete' ? relay.finish({ svc, warnings }) : [];
  return { relay, passed, whole: passed + Buffer.concat(last).toString() };
}

const renamed = (stream: string): string => stream.replace('"model":"s-1"', '"model":"acme/small"');
const withSvc = (carrier: string): string => carrier.replace(/\}\n\n$/, ',"svc":{"provider":"acme"}}\n\n');

describe('a messages stream', () => {
  const whole = start + thinking + text + tool + messageDelta + stop;

  it('passes unchanged except for the model’s name and svc on message_delta', () => {
    const played = play(whole);
    expect(played.whole).toBe(renamed(start) + thinking + text + tool + withSvc(messageDelta) + stop);
    expect(played.passed).toBe(renamed(start) + thinking + text + tool);
    expect(played.relay.state).toBe('complete');
  });

  it('carries warnings beside svc', () => {
    expect(play(whole, [], [{ param: 'seed' }]).whole).toContain(
      ',"svc":{"provider":"acme"},"warnings":[{"param":"seed"}]}\n\n' + stop,
    );
  });

  it('replaces the counters of the start with those of the end, and keeps the others', () => {
    expect(play(whole).relay.usage).toEqual({
      inputTokens: 25,
      cachedInputTokens: 7,
      cacheWriteTokens: 3,
      outputTokens: 42,
      reasoningTokens: 0,
    });
  });

  it('counts the bytes of text, thinking and tool arguments, escapes as they stand', () => {
    expect(play(start + thinking).relay.outputBytes).toBe('Hm. \\"model\\":\\"s-1\\"'.length);
    expect(play(start + text).relay.outputBytes).toBe(6);
    expect(play(start + tool).relay.outputBytes).toBe('{\\"a\\": 1}'.length);
  });

  it('forwards a message_delta without a stop reason', () => {
    const early = frame('message_delta', ',"delta":{"stop_reason":null},"usage":{"output_tokens":5}');
    const { passed, relay } = play(start + text + early);
    expect(passed).toBe(renamed(start) + text + early);
    expect(relay.usage).toMatchObject({ outputTokens: 5 });
  });

  it('carries svc on the last of several message_deltas, and keeps the order of later frames', () => {
    const stream = start + messageDelta + ping + messageDelta + ping + stop;
    expect(play(stream).whole).toBe(
      renamed(start) + messageDelta + ping + withSvc(messageDelta) + ping + stop,
    );
  });

  it('forwards unknown events', () => {
    const unknown = frame('content_block_annotation', ',"x":1');
    expect(play(start + unknown).passed).toBe(renamed(start) + unknown);
  });

  it('returns no bytes before the answer has begun', () => {
    expect(play(ping + ': comment\n\n').passed).toBe('');
    expect(play(ping + start).passed).toBe(renamed(start));
  });

  it('forwards whole frames only, also when a chunk begins and ends within one', () => {
    const relay = new MessageStreamRelay({ model: 'acme/small' });
    relay.push(encodeUtf8(start + text.slice(0, 9)));
    const straddling = encodeUtf8(text.slice(9) + text.slice(0, 9));
    expect(Buffer.concat(relay.push(straddling)).toString()).toBe(text);
  });

  it('forwards a chunk of unchanged frames without copying it', () => {
    const relay = new MessageStreamRelay({ model: 'acme/small' });
    relay.push(encodeUtf8(start));
    const chunk = encodeUtf8(text);
    expect(relay.push(chunk)[0]).toBe(chunk);
  });

  it('returns the same bytes however the upstream’s are cut', () => {
    for (const stream of [whole, whole.replaceAll('\n', '\r\n')]) {
      const expected = play(stream).whole;
      fc.assert(
        fc.property(fc.array(fc.nat()), (cuts) => {
          expect(play(stream, cuts).whole).toBe(expected);
        }),
      );
    }
  });
});

describe('the end of a messages stream', () => {
  it.each([
    ['after message_stop without its empty line', start + messageDelta + stop.trimEnd(), 'complete'],
    ['after message_stop alone', start + stop, 'complete'],
    ['after message_delta', start + text + messageDelta, 'failed'],
    ['in message_stop', start + messageDelta + stop.slice(0, -6), 'failed'],
    ['in the middle', start + text, 'failed'],
    ['before anything', '', 'failed'],
    ['in an answer that is no stream', '{"type":"message","content":[]}', 'failed'],
  ])('%s is %s', (_, stream, state) => {
    expect(play(stream).relay.state).toBe(state);
  });

  it('carries svc on message_stop when there was no message_delta', () => {
    expect(play(start + stop).whole).toBe(renamed(start) + withSvc(stop));
  });
});

describe('a messages stream that fails', () => {
  const protocolViolation = { message: 'The provider’s stream broke its protocol.' };

  it('reports the provider’s message, and forwards the frames before the error', () => {
    const error = frame('error', ',"error":{"type":"overloaded_error","message":"Overloaded"}');
    const { relay, passed } = play(start + text + error + stop);
    expect(relay).toMatchObject({
      state: 'failed',
      failure: { message: 'Overloaded', code: 'overloaded_error', status: 529 },
    });
    expect(passed).toBe(renamed(start) + text);
  });

  it.each([
    ['a start that is not JSON', 'event: message_start\ndata: secret\n\n'],
    ['content before its start', text],
    ['a message_delta that is cut', `${start}event: message_delta\ndata: {"delta":\n\n`],
    ['a message_stop that is not JSON', `${start}event: message_stop\ndata: secret\n\n`],
    ['frames without an event’s name', 'data: {"type":"message_start","message":{}}\n\n'],
  ])('by %s says so', (_, stream) => {
    expect(play(stream).relay).toMatchObject({ state: 'failed', failure: protocolViolation });
  });
});
