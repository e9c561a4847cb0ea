import fc from 'fast-check';
import { encodeUtf8 } from '../json/byte-text';
import { ResponseStreamRelay } from './response-stream-relay';

type Json = Record<string, unknown>;

const response = (rest: Json = {}): Json => ({
  id: 'resp_1',
  object: 'response',
  status: 'in_progress',
  model: 's-1-2026',
  output: [],
  usage: null,
  ...rest,
});
let numbered = 0;
const frame = (type: string, rest: Json = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: numbered++, ...rest })}\n\n`;
const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };

const created = frame('response.created', { response: response() });
const inProgress = frame('response.in_progress', { response: response() });
const added = frame('response.output_item.added', {
  output_index: 0,
  item: { type: 'message', id: 'msg_1' },
});
const hello = frame('response.output_text.delta', { ...at, delta: 'Hello', logprobs: [], obfuscation: 'x' });
const tricky = frame('response.output_text.delta', {
  ...at,
  delta: ' wörld "model":"s-1-2026","delta":"x" \\ 漢',
  logprobs: [],
});
const call = frame('response.function_call_arguments.delta', {
  item_id: 'fc_1',
  output_index: 1,
  delta: '{"a":',
});
const textDone = frame('response.output_text.done', { ...at, text: 'Hello', logprobs: [] });
const usage = { input_tokens: 9, output_tokens: 4, total_tokens: 13 };
const completed = frame('response.completed', { response: response({ status: 'completed', usage }) });
const incomplete = frame('response.incomplete', { response: response({ status: 'incomplete', usage }) });
const begun = created + inProgress + added + hello;
const svc = { provider: 'acme' };

function play(stream: string, { cuts = [], warnings = [], counted, keep = false }: Playing = {}) {
  const relay = new ResponseStreamRelay({ model: 'acme/smäll' });
  if (keep) relay.keepOutput();
  const bytes = encodeUtf8(stream);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const pieces = places.flatMap((from, index) => relay.push(bytes.subarray(from, places[index + 1] ?? from)));
  relay.end();
  const passed = Buffer.concat(pieces).toString();
  const additions = { svc, warnings, ...(counted !== undefined && { usage: counted }) };
  const last = relay.state === 'complete' ? relay.finish(additions) : [];
  return { relay, passed, whole: passed + Buffer.concat(last).toString() };
}

interface Playing {
  readonly cuts?: readonly number[];
  readonly warnings?: unknown[];
  readonly counted?: unknown;
  readonly keep?: boolean;
}

const renamed = (stream: string): string =>
  stream.replaceAll('"model":"s-1-2026","output"', '"model":"acme/smäll","output"');
const withSvc = (terminal: string, more = ''): string =>
  renamed(terminal).replace(/\}\}\n\n$/, `,"svc":{"provider":"acme"}${more}}}\n\n`);

describe('a responses stream', () => {
  const body = begun + tricky + call + textDone;

  it('passes unchanged except for the model’s name and svc in the last response', () => {
    const { relay, passed, whole } = play(body + completed);
    expect(passed).toBe(renamed(body));
    expect(whole).toBe(renamed(body) + withSvc(completed));
    expect(relay).toMatchObject({ state: 'complete', usage: { inputTokens: 9, outputTokens: 4 } });
  });

  it('carries warnings, and the usage that the service counted', () => {
    const unreported = completed.replace(JSON.stringify(usage), 'null');
    const { relay, whole } = play(begun + unreported, { warnings: [{ param: 'seed' }], counted: usage });
    expect(relay.usage).toBeNull();
    expect(whole).toBe(renamed(begun) + withSvc(completed, ',"warnings":[{"param":"seed"}]'));
  });

  it('is complete when the output limit ends it', () => {
    expect(play(begun + incomplete)).toMatchObject({
      relay: { state: 'complete', usage: { outputTokens: 4 } },
      whole: renamed(begun) + withSvc(incomplete),
    });
  });

  it('is complete with an answer that has no output', () => {
    expect(play(created + completed)).toMatchObject({
      relay: { state: 'complete', started: true },
      whole: renamed(created) + withSvc(completed),
    });
  });

  it.each([
    ['response.created', created],
    ['response.in_progress', created + inProgress],
    ['response.queued', created + frame('response.queued', { response: response() })],
    ['an event of another kind', created + frame('keepalive') + frame('x.rate_limits')],
  ])('has not begun with %s', (_, stream) => {
    const { relay, passed } = play(stream);
    expect(relay.started).toBe(false);
    expect(passed).toBe('');
  });

  it('begins with the first event of its output, and nothing before it is lost', () => {
    const relay = new ResponseStreamRelay({ model: 'acme/smäll' });
    expect(relay.push(Buffer.from(created + frame('keepalive')))).toEqual([]);
    expect(Buffer.concat(relay.push(Buffer.from(added))).toString()).toMatch(/created[^]*keepalive[^]*added/);
    expect(relay.started).toBe(true);
  });

  it('passes events of types that nobody knows yet', () => {
    const unknown = frame('response.hologram.partial', { output_index: 0, light: [1] }) + frame('keepalive');
    expect(play(begun + unknown + completed).passed).toBe(renamed(begun) + unknown);
  });

  it('passes a chunk of whole frames without a copy', () => {
    const relay = new ResponseStreamRelay({ model: 'acme/smäll' });
    relay.push(Buffer.from(begun));
    const chunk = Buffer.from(tricky + call);
    expect(relay.push(chunk)[0]).toBe(chunk);
  });

  it('counts and keeps the text of every kind of delta', () => {
    const { relay } = play(body + completed, { keep: true });
    const said = ' wörld "model":"s-1-2026","delta":"x" \\ 漢';
    const [text, args] = [`Hello${said}`, '{"a":'];
    expect(JSON.parse(Buffer.from(relay.keptOutput!.toJson()).toString())).toEqual([
      ['output_text', text],
      ['function_call_arguments', args],
    ]);
    const bytes = [text, args].map((one) => Buffer.byteLength(JSON.stringify(one)) - 2);
    expect(relay.outputBytes).toBe(bytes[0]! + bytes[1]!);
  });

  it('is read alike when its events have no name, spaces in their JSON, and its last frame no end', () => {
    const nameless = (stream: string): string =>
      stream.replaceAll(/event: .*\n/g, '').replaceAll('":', '": ');
    const { relay } = play(nameless(begun + completed).trimEnd(), { keep: true });
    expect(relay).toMatchObject({ state: 'complete', usage: { inputTokens: 9 }, outputBytes: 5 });
    expect(relay.keptOutput!.toJson()).toEqual(Buffer.from('[["output_text","Hello"]]'));
  });

  it('is the same however it is cut', () => {
    const stream = (body + completed).replaceAll('\n\n', '\r\n\r\n');
    const uncut = play(stream);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 12 }), (cuts) => {
        const { relay, whole } = play(stream, { cuts });
        expect(whole).toBe(uncut.whole);
        expect(relay.outputBytes).toBe(uncut.relay.outputBytes);
      }),
    );
  });
});

describe('a responses stream that fails', () => {
  const failed = (error: unknown): string =>
    frame('response.failed', { response: response({ status: 'failed', error }) });
  const error = (rest: Json): string => frame('error', rest);
  const broke = { message: 'The provider’s stream broke its protocol.' };

  it.each([
    [
      'response.failed',
      failed({ code: 'server_error', message: 'Oops.' }),
      { message: 'Oops.', code: 'server_error', status: 500 },
    ],
    [
      'a rate limit',
      failed({ code: 'rate_limit_exceeded', message: 'Slow down.' }),
      { message: 'Slow down.', code: 'rate_limit_exceeded', status: 429 },
    ],
    [
      'a refused prompt',
      failed({ code: 'invalid_prompt', message: 'No.' }),
      { message: 'No.', code: 'invalid_prompt', status: 400 },
    ],
    [
      'a refused image',
      failed({ code: 'failed_to_download_image', message: 'No.' }),
      { message: 'No.', code: 'failed_to_download_image', status: 400 },
    ],
    ['a failure of a new kind', failed({ code: 'new', message: 'Oops.' }), { message: 'Oops.', code: 'new' }],
    [
      'a failure without an error',
      failed(null),
      { message: 'The provider reported an error in its stream.' },
    ],
    [
      'an error event as documented',
      error({ code: 'server_error', message: 'Oops.', param: null }),
      { message: 'Oops.', code: 'server_error', status: 500 },
    ],
    [
      'an error event as sent',
      error({ error: { type: 'invalid_request_error', code: null, message: 'No.' } }),
      { message: 'No.', code: 'invalid_request_error', status: 400 },
    ],
    ['what is not JSON', 'data: secret\n\n', broke],
    ['a completion without a response', frame('response.completed'), broke],
    ['a beginning without a response', frame('response.in_progress'), broke],
    ['half an event', 'event: response.completed\ndata: {"type":"respo\n\n', broke],
  ])('by %s says so, and passes on what came before', (_, broken, failure) => {
    const { relay, passed } = play(begun + broken + hello + completed);
    expect(relay.state).toBe('failed');
    expect(relay.failure).toEqual(failure);
    expect(passed).toBe(renamed(begun));
    const early = play(created + broken);
    expect(early.relay).toMatchObject({ state: 'failed', started: false, failure });
    expect(early.passed).toBe('');
  });

  it.each([
    ['that ends early', begun],
    ['that ends within a frame', begun + completed.slice(0, -9)],
    ['that never begins', ''],
    ['that begins without response.created', added + hello + completed],
    ['that ends as a chat stream', `${begun}data: [DONE]\n\n${completed}`],
  ])('is one %s', (_, stream) => {
    expect(play(stream).relay.state).toBe('failed');
  });

  it('knows the number of the next event', () => {
    expect(play(begun).relay.nextSequenceNumber()).toBe(4);
    expect(play('').relay.nextSequenceNumber()).toBe(0);
  });

  it('takes text that looks like a failure as text', () => {
    const text = frame('response.output_text.delta', { ...at, delta: '\n\nevent: error\ndata: {}\n\n' });
    expect(play(begun + text + completed).relay.state).toBe('complete');
  });
});
