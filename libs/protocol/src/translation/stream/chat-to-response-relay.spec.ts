import { responseEvents, ResponseFollower } from '../../testing/response-stream';
import { ChatToResponseStreamRelay } from './chat-to-response-relay';

type Json = Record<string, unknown>;

const chunk = (delta: Json, rest: Json = {}): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    model: 's-1',
    choices: [{ index: 0, delta, finish_reason: null, ...rest }],
  })}\n\n`;
const role = chunk({ role: 'assistant', content: '' });
const text = (content: string): string => chunk({ content });
const called = (index: number, id: string, rest: Json): string =>
  chunk({ tool_calls: [{ index, id, ...rest }] });
const finish = (reason = 'stop'): string => chunk({}, { finish_reason: reason });
const usage = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 4 } })}\n\n`;
const done = 'data: [DONE]\n\n';
const svc = { provider: 'acme' };

function play(stream: string, additions: Json = {}, body: Json = {}) {
  const relay = new ChatToResponseStreamRelay({ model: 'acme/small', body, createdAtSeconds: 1767225600 });
  relay.keepOutput();
  const passed = Buffer.concat(relay.push(Buffer.from(stream))).toString();
  relay.end();
  const last = relay.state === 'complete' ? relay.finish({ svc, ...additions }) : [];
  return { relay, passed, whole: passed + Buffer.concat(last).toString() };
}

const responseOf = (stream: string, additions?: Json, body?: Json): Json =>
  new ResponseFollower().follow(play(stream, additions, body).whole);
const outputOf = (stream: string): unknown => responseOf(stream)['output'];
const paramsOf = (stream: string): string[] => play(stream).relay.losses.map(({ param }) => param);

const message = (part: Json, status = 'completed'): Json => ({
  id: 'msg_chatcmpl-1_0',
  type: 'message',
  status,
  role: 'assistant',
  content: [part],
});
const outputText = (said: string, rest: Json = {}): Json => ({
  type: 'output_text',
  text: said,
  annotations: [],
  logprobs: [],
  ...rest,
});

describe('a chat stream for a responses caller', () => {
  it('begins at once, and keeps its last event until it is settled', () => {
    const { passed, whole } = play(role + text('Hello') + finish() + usage + done);
    expect(responseEvents(passed).map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
    ]);
    const events = responseEvents(whole);
    expect(events[0]).toMatchObject({
      response: { id: 'resp_chatcmpl-1', status: 'in_progress', output: [] },
    });
    expect(events.slice(8)).toMatchObject([
      {
        type: 'response.completed',
        response: {
          id: 'resp_chatcmpl-1',
          object: 'response',
          created_at: 1767225600,
          status: 'completed',
          model: 'acme/small',
          output: [message(outputText('Hello'))],
          usage: { input_tokens: 9, output_tokens: 4, total_tokens: 13 },
          svc,
        },
      },
    ]);
  });

  it('repeats the fields of the call, and tells the rest of a response', () => {
    const body = { instructions: 'Be brief.', temperature: 0.5, tools: [{ type: 'function', name: 'f' }] };
    expect(responseOf(role + finish() + done, {}, { ...body, input: 'secret' })).toMatchObject({
      ...body,
      background: false,
      error: null,
      incomplete_details: null,
      metadata: {},
      parallel_tool_calls: true,
      previous_response_id: null,
      store: false,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      usage: null,
    });
    expect(play(role + finish() + done, {}, { input: 'secret' }).whole).not.toContain('secret');
  });

  it('carries warnings, and the usage that the service counted', () => {
    const counted = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
    const warnings = [{ param: 'seed' }];
    expect(responseOf(role + finish() + done, { usage: counted, warnings })).toMatchObject({
      usage: counted,
      warnings,
      svc,
    });
  });

  it.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ])('is incomplete after the finish reason %s, as its last item is', (finishReason, reason) => {
    const call = called(0, 'call_1', { function: { name: 'f', arguments: '{"a' } });
    expect(responseOf(role + text('Hi') + call + finish(finishReason) + done)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason },
      output: [
        { type: 'message', status: 'completed' },
        { type: 'function_call', status: 'incomplete', arguments: '{"a' },
      ],
    });
  });

  it('has an empty message when the model said nothing, unless it was cut', () => {
    expect(outputOf(role + finish() + done)).toEqual([message(outputText(''))]);
    expect(outputOf(role + finish('length') + done)).toEqual([]);
  });

  it('tells reasoning as the summary of an item that its provider can take back', () => {
    const reasoning = chunk({ reasoning_content: 'Hm' }) + chunk({ reasoning_content: '.' });
    expect(outputOf(role + reasoning + text('Hi') + finish() + done)).toMatchObject([
      {
        id: 'rs_chatcmpl-1_0',
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'Hm.' }],
        encrypted_content: 'svc.field.reasoning_content',
      },
      { type: 'message' },
    ]);
  });

  it('tells reasoning between texts in its place', () => {
    const stream = role + text('a') + chunk({ reasoning: 'Hm' }) + text('b') + finish() + done;
    expect(outputOf(stream)).toMatchObject([
      { type: 'message', content: [{ text: 'a' }] },
      { type: 'reasoning', summary: [{ text: 'Hm' }], encrypted_content: 'svc.field.reasoning' },
      { type: 'message', content: [{ text: 'b' }] },
    ]);
  });

  it('tells a refusal as a part of its message', () => {
    const stream = role + text('Well.') + chunk({ refusal: 'I can’t' }) + chunk({ refusal: '.' });
    expect(outputOf(stream + finish() + done)).toMatchObject([
      { content: [outputText('Well.'), { type: 'refusal', refusal: 'I can’t.' }] },
    ]);
  });

  it('tells log probabilities with their text', () => {
    const logprob = (token: string) => ({ token, logprob: -0.5, bytes: [1], top_logprobs: [] });
    const [a, b] = [logprob('a'), logprob('b')];
    const told = (content: string, one: Json): string => chunk({ content }, { logprobs: { content: [one] } });
    const stream = role + told('a', a) + told('b', b) + finish() + done;
    expect(outputOf(stream)).toEqual([message(outputText('ab', { logprobs: [a, b] }))]);
    const deltas = responseEvents(play(stream).whole).filter(({ type }) => type.endsWith('text.delta'));
    expect(deltas).toMatchObject([
      { delta: 'a', logprobs: [a] },
      { delta: 'b', logprobs: [b] },
    ]);
  });

  it('tells citations of web pages as annotations', () => {
    const citation = { start_index: 0, end_index: 2, url: 'https://acme.test', title: 'Acme' };
    const annotation = { type: 'url_citation', ...citation };
    const cited = chunk({ annotations: [{ type: 'url_citation', url_citation: citation }] });
    expect(outputOf(role + text('Hi') + cited + finish() + done)).toEqual([
      message(outputText('Hi', { annotations: [annotation] })),
    ]);
  });

  it('tells a call of a tool with free input as such', () => {
    const custom = (piece: Json): string => called(0, 'call_1', { type: 'custom', custom: piece });
    expect(
      outputOf(role + custom({ name: 'sh', input: 'l' }) + custom({ input: 's' }) + finish() + done),
    ).toEqual([
      {
        id: 'ctc_chatcmpl-1_0',
        type: 'custom_tool_call',
        status: 'completed',
        input: 'ls',
        call_id: 'call_1',
        name: 'sh',
      },
    ]);
  });

  it('gives a call its name late, and an id where it has none', () => {
    const stream =
      role +
      called(0, '', { function: { arguments: '{"a"' } }) +
      called(0, '', { function: { name: 'f', arguments: ':1}' } });
    expect(outputOf(stream + finish() + done)).toMatchObject([
      { name: 'f', arguments: '{"a":1}', call_id: 'call_chatcmpl-1_0' },
    ]);
  });

  it('gives calls different ids where the upstream uses one twice', () => {
    const twice = called(0, 'f', { function: { name: 'f' } }) + called(1, 'f', { function: { name: 'f' } });
    expect(outputOf(role + twice + finish() + done)).toMatchObject([
      { call_id: 'f' },
      { call_id: 'call_chatcmpl-1_1' },
    ]);
  });

  it('names the service’s ids after the upstream’s, as far as OpenAI takes them', () => {
    const stream = (id: string): string => (role + finish() + done).replaceAll('chatcmpl-1', id);
    const long = responseOf(stream('ö'.repeat(100)));
    expect((long['output'] as Json[])[0]!['id']).toBe(`msg_${'_'.repeat(52)}_0`);
    expect(responseOf(stream(''))['id']).toBe('resp_1767225600');
  });

  it.each([
    ['audio', chunk({ audio: { id: 'a' } }), ['audio']],
    ['a call without a name', called(0, 'call_1', { function: { arguments: '{}' } }), ['tool_calls']],
    ['an annotation of another kind', chunk({ annotations: [{ type: 'x' }] }), ['annotations']],
  ])('reports the loss of %s', (_, lost, params) => {
    expect(paramsOf(role + text('Hi') + lost + finish() + done)).toEqual(params);
    expect(outputOf(role + text('Hi') + lost + finish() + done)).toHaveLength(1);
  });

  it('reports the loss of arguments after the call’s end', () => {
    const call = called(0, 'call_1', { function: { name: 'f', arguments: '{}' } });
    const late = called(0, '', { function: { arguments: '!' } });
    expect(paramsOf(role + call + finish() + late + done)).toEqual(['tool_calls.function.arguments']);
  });

  it('counts and keeps what the model generated', () => {
    const stream =
      role +
      chunk({ reasoning: 'Hm' }) +
      text('Hi "you"') +
      called(0, 'call_1', { function: { name: 'f', arguments: '{}' } });
    const { relay } = play(stream + finish() + done);
    expect(JSON.parse(Buffer.from(relay.keptOutput!.toJson()).toString())).toEqual([
      ['reasoning_summary_text', 'Hm'],
      ['output_text', 'Hi "you"'],
      ['function_call_arguments', '{}'],
    ]);
    expect(relay.outputBytes).toBe('HmHi \\"you\\"{}'.length);
  });

  it.each([
    ['without a terminator', role + text('a') + finish()],
    ['without a finish reason', role + text('a') + done],
    ['within its terminator', role + text('a') + finish() + done.trim()],
    ['with comments', `: hello\n\n${role}: working\n\n${text('a')}${finish()}${done}`],
  ])('is whole when its upstream ends %s', (_, stream) => {
    expect(outputOf(stream)).toEqual([message(outputText('a'))]);
  });
});

describe('a chat stream for a responses caller that fails', () => {
  const broke = { message: 'The provider’s stream broke its protocol.' };

  it.each([
    [
      'an error',
      'data: {"error":{"message":"Overloaded.","type":"overloaded_error"}}\n\n',
      { message: 'Overloaded.', code: 'overloaded_error', status: 529 },
    ],
    ['what is not JSON', 'data: secret\n\n', broke],
    ['choices that are no list', 'data: {"choices":"x"}\n\n', broke],
    ['half a chunk', 'data: {"choices":[\n\n', broke],
  ])('by %s says so, and knows the number of the event that tells it', (_, broken, failure) => {
    const { relay, passed } = play(role + text('a') + broken + text('b') + finish() + done);
    expect(relay).toMatchObject({ state: 'failed', failure });
    expect(relay.nextSequenceNumber()).toBe(responseEvents(passed).length);
    expect(play(broken)).toMatchObject({ passed: '', relay: { state: 'failed', started: false } });
  });

  it('does so within bounded memory when its text has no end', () => {
    const relay = new ChatToResponseStreamRelay({ model: 'a', body: {}, createdAtSeconds: 1 });
    const piece = Buffer.from(text('x'.repeat(1024 * 1024)));
    for (let pushed = 0; pushed < 20 && relay.state === 'open'; pushed++) relay.push(piece);
    expect(relay.state).toBe('failed');
  });

  it.each([
    ['that ends early', role + text('a')],
    ['that is only a terminator', done],
    ['that is empty', ''],
  ])('is one %s', (_, stream) => {
    expect(play(stream).relay.state).toBe('failed');
  });
});
