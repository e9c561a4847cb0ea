import { ResponseFollower, responseEvents } from '../../testing/response-stream';
import { originalReasoning } from '../reasoning-item';
import { MessageToResponseStreamRelay } from './message-to-response-relay';

type Json = Record<string, unknown>;

const event = (type: string, rest: Json = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
const start = event('message_start', {
  message: { id: 'msg_01', model: 's-1', usage: { input_tokens: 25, output_tokens: 1 } },
});
const begin = (index: number, block: Json): string =>
  event('content_block_start', { index, content_block: block });
const delta = (index: number, piece: Json): string => event('content_block_delta', { index, delta: piece });
const stop = (index: number): string => event('content_block_stop', { index });
const end = (reason: string, more: Json = {}): string =>
  event('message_delta', { delta: { stop_reason: reason, ...more }, usage: { output_tokens: 42 } }) +
  event('message_stop');
const text = (index: number, said: string): string =>
  begin(index, { type: 'text', text: '' }) + delta(index, { type: 'text_delta', text: said }) + stop(index);
const thinking = (index: number, thought: string, signature: string): string =>
  begin(index, { type: 'thinking', thinking: '', signature: '' }) +
  delta(index, { type: 'thinking_delta', thinking: thought }) +
  delta(index, { type: 'signature_delta', signature }) +
  stop(index);
const tool = (index: number, id: string, pieces: readonly string[], input: Json = {}): string =>
  begin(index, { type: 'tool_use', id, name: 'f', input }) +
  pieces.map((piece) => delta(index, { type: 'input_json_delta', partial_json: piece })).join('') +
  stop(index);

function play(stream: string) {
  const relay = new MessageToResponseStreamRelay({
    model: 'acme/small',
    body: {},
    createdAtSeconds: 1767225600,
  });
  const passed = Buffer.concat(relay.push(Buffer.from(stream))).toString();
  relay.end();
  const last = relay.state === 'complete' ? relay.finish({ svc: { provider: 'acme' } }) : [];
  return { relay, passed, whole: passed + Buffer.concat(last).toString() };
}

const responseOf = (stream: string): Json => new ResponseFollower().follow(play(stream).whole);
const outputOf = (stream: string): Json[] => responseOf(stream)['output'] as Json[];

describe('a messages stream for a responses caller', () => {
  it('tells thinking, text and calls as items in their order', () => {
    const stream =
      start +
      thinking(0, 'Hm.', 'EqQB') +
      text(1, 'Looking.') +
      tool(2, 'toolu_1', ['{"city":', '"Paris"}']) +
      thinking(3, 'So.', 'Fx9A') +
      tool(4, 'toolu_2', []) +
      end('tool_use');
    expect(responseOf(stream)).toMatchObject({
      id: 'resp_msg_01',
      status: 'completed',
      output: [
        { id: 'rs_msg_01_0', summary: [{ text: 'Hm.' }], encrypted_content: 'svc.signed.EqQB' },
        { id: 'msg_msg_01_1', content: [{ text: 'Looking.' }] },
        { id: 'fc_msg_01_2', call_id: 'toolu_1', arguments: '{"city":"Paris"}' },
        { id: 'rs_msg_01_3', summary: [{ text: 'So.' }], encrypted_content: 'svc.signed.Fx9A' },
        { id: 'fc_msg_01_4', call_id: 'toolu_2', arguments: '{}' },
      ],
      usage: { input_tokens: 25, output_tokens: 42 },
      svc: { provider: 'acme' },
    });
  });

  it('keeps what Anthropic needs to take its thinking back', () => {
    const redacted = begin(1, { type: 'redacted_thinking', data: 'Zm9v' }) + stop(1);
    const items = outputOf(start + thinking(0, 'Hm.', 'EqQB') + redacted + text(2, 'Hi') + end('end_turn'));
    expect(items.slice(0, 2).map((item, index) => originalReasoning(item, index))).toEqual([
      { detail: { type: 'reasoning.text', text: 'Hm.', signature: 'EqQB', index: 0 } },
      { detail: { type: 'reasoning.encrypted', data: 'Zm9v', index: 1 } },
    ]);
  });

  it('joins texts that follow each other', () => {
    expect(outputOf(start + text(0, 'a') + text(1, 'b') + end('end_turn'))).toMatchObject([
      { type: 'message', content: [{ text: 'ab' }] },
    ]);
  });

  it('takes the whole input of a call from its start', () => {
    expect(outputOf(start + tool(0, 'toolu_1', [], { a: 1 }) + end('tool_use'))).toMatchObject([
      { arguments: '{"a":1}' },
    ]);
  });

  it('ends a call before the next block begins', () => {
    const { passed } = play(start + tool(0, 'toolu_1', ['{}']) + begin(1, { type: 'text', text: '' }));
    expect(responseEvents(passed).at(-1)).toMatchObject({
      type: 'response.output_item.done',
      item: { call_id: 'toolu_1', status: 'completed' },
    });
  });

  it.each([
    ['max_tokens', 'max_output_tokens'],
    ['pause_turn', 'max_output_tokens'],
    ['refusal', 'content_filter'],
  ])('is incomplete after the stop reason %s, as its last item is', (stopReason, reason) => {
    expect(responseOf(start + text(0, 'Hi') + tool(1, 'toolu_1', ['{']) + end(stopReason))).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason },
      output: [{ status: 'completed' }, { status: 'incomplete', arguments: '{' }],
    });
  });

  it('tells the explanation of a refusal after the text', () => {
    const details = { stop_details: { type: 'refusal', explanation: 'Not that.' } };
    expect(outputOf(start + text(0, 'Well.') + end('refusal', details))).toMatchObject([
      { content: [{ text: 'Well.' }, { type: 'refusal', refusal: 'Not that.' }] },
    ]);
  });

  it.each([
    [
      'a block of a provider’s tool',
      begin(1, { type: 'server_tool_use' }) + stop(1),
      'content.server_tool_use',
    ],
    [
      'a citation',
      begin(1, { type: 'text', text: '' }) + delta(1, { type: 'citations_delta' }) + stop(1),
      'content.citations',
    ],
    [
      'citations of a whole text',
      begin(1, { type: 'text', text: 'b', citations: [{}] }) + stop(1),
      'content.citations',
    ],
  ])('reports the loss of %s', (_, lost, param) => {
    const { relay } = play(start + text(0, 'a') + lost + end('end_turn'));
    expect(relay.losses.map((loss) => loss.param)).toEqual([param]);
  });

  it('keeps a connection open where the upstream does', () => {
    expect(play(event('ping') + start + event('ping')).passed).toMatch(/\n\n: keep-alive\n\n$/);
  });

  it('counts the output where only the start reported usage', () => {
    const relay = new MessageToResponseStreamRelay({ model: 'a', body: {}, createdAtSeconds: 1 });
    relay.keepOutput();
    relay.push(Buffer.from(start + text(0, 'Hi')));
    expect(relay).toMatchObject({ usage: null, outputBytes: 2 });
  });

  it.each([
    ['an error', event('error', { error: { type: 'overloaded_error', message: 'Busy.' } }), 'Busy.'],
    [
      'what is not JSON',
      'event: message_delta\ndata: secret\n\n',
      'The provider’s stream broke its protocol.',
    ],
    ['a delta without one', event('message_delta'), 'The provider’s stream broke its protocol.'],
    ['its end', '', 'The provider closed its stream before the answer was complete.'],
  ])('fails by %s', (_, broken, reason) => {
    const { relay, passed } = play(start + text(0, 'Hi') + broken);
    expect(relay).toMatchObject({ state: 'failed', failure: { message: reason } });
    expect(relay.nextSequenceNumber()).toBe(responseEvents(passed).length);
  });

  it.each([
    ['without message_start', text(0, 'Hi') + end('end_turn')],
    ['with an empty one', event('message_start')],
  ])('fails %s', (_, stream) => {
    expect(play(stream)).toMatchObject({ passed: '', relay: { state: 'failed', started: false } });
  });

  it('is whole when its last event has no end', () => {
    expect(outputOf((start + text(0, 'Hi') + end('end_turn')).trimEnd())).toHaveLength(1);
  });
});
