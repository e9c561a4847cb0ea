// The answers of the upstream, as bytes.

const USAGE = { prompt_tokens: 250, completion_tokens: 150, total_tokens: 400 };
const RESPONSE_USAGE = {
  input_tokens: 250,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 150,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 400,
};
const PLAIN_BYTES = 1024;
const ID = 'chatcmpl-0123456789abcdef';
const CREATED = 1_790_000_000;

const words = 'The gateway holds what a call may cost before it is sent and charges what it used. '.repeat(
  20,
);

/** JSON of a given size, padded by its text. */
function sized(bytes, make) {
  const empty = Buffer.byteLength(JSON.stringify(make('')));
  return JSON.stringify(make(words.slice(0, bytes - empty)));
}

const head = (status, headers) =>
  Buffer.from(
    [
      `HTTP/1.1 ${status}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '\r\n',
    ].join('\r\n'),
  );

const json = (text, status = '200 OK') =>
  Buffer.concat([
    head(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    Buffer.from(text),
  ]);

const completion = sized(PLAIN_BYTES, (content) => ({
  id: ID,
  object: 'chat.completion',
  created: CREATED,
  model: 'bench-1',
  choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop' }],
  usage: USAGE,
}));

const message = sized(PLAIN_BYTES, (text) => ({
  id: 'msg_0123456789abcdef',
  type: 'message',
  role: 'assistant',
  model: 'bench-1',
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 250, output_tokens: 150 },
}));

/** One vector of 1,536 numbers, in base64. */
const embeddings = JSON.stringify({
  object: 'list',
  data: [
    {
      object: 'embedding',
      index: 0,
      embedding: Buffer.from(
        Float32Array.from({ length: 1536 }, (_, at) => Math.sin(at) / 28).buffer,
      ).toString('base64'),
    },
  ],
  model: 'bench-1',
  usage: { prompt_tokens: 250, total_tokens: 250 },
});

const failure = JSON.stringify({ error: { message: 'Overloaded', type: 'server_error', code: null } });

/** Chat completion chunks, each in its own HTTP chunk and write: a role, `count` texts, the end, the usage. */
function stream(count) {
  const chunk = (choices, more = {}) => ({
    id: ID,
    object: 'chat.completion.chunk',
    created: CREATED,
    model: 'bench-1',
    choices,
    ...more,
  });
  const delta = (content, finish = null) => chunk([{ index: 0, delta: content, finish_reason: finish }]);
  const frames = [
    delta({ role: 'assistant', content: '' }),
    ...Array.from({ length: count }, (_, at) => delta({ content: ` word${at}` })),
    delta({}, 'stop'),
    chunk([], { usage: USAGE }),
  ].map((data) => `data: ${JSON.stringify(data)}\n\n`);
  return asHttpChunks([...frames, 'data: [DONE]\n\n']);
}

/** The events of a response, each in its own HTTP chunk and write: `count` texts, and eight around them. */
function responseStream(count) {
  const texts = Array.from({ length: count }, (_, at) => ` word${at}`);
  const text = texts.join('');
  const part = (said) => ({ type: 'output_text', text: said, annotations: [], logprobs: [] });
  const item = (status, content) => ({
    id: 'msg_0123456789',
    type: 'message',
    status,
    role: 'assistant',
    content,
  });
  const inItem = { item_id: 'msg_0123456789', output_index: 0 };
  const inPart = { ...inItem, content_index: 0 };
  const started = { response: response('in_progress', [], null) };
  return asHttpChunks(
    [
      ['response.created', started],
      ['response.in_progress', started],
      ['response.output_item.added', { output_index: 0, item: item('in_progress', []) }],
      ['response.content_part.added', { ...inPart, part: part('') }],
      ...texts.map((delta) => ['response.output_text.delta', { ...inPart, delta, logprobs: [] }]),
      ['response.output_text.done', { ...inPart, text, logprobs: [] }],
      ['response.content_part.done', { ...inPart, part: part(text) }],
      ['response.output_item.done', { output_index: 0, item: item('completed', [part(text)]) }],
      [
        'response.completed',
        { response: response('completed', [item('completed', [part(text)])], RESPONSE_USAGE) },
      ],
    ].map(
      ([type, members], at) =>
        `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: at, ...members })}\n\n`,
    ),
  );
}

const response = (status, output, usage) => ({
  id: 'resp_0123456789abcdef',
  object: 'response',
  created_at: CREATED,
  status,
  error: null,
  incomplete_details: null,
  instructions: 'Be brief.',
  max_output_tokens: 256,
  metadata: {},
  model: 'bench-1',
  output,
  parallel_tool_calls: true,
  reasoning: { effort: null, summary: null },
  store: false,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
  usage,
});

/** The head with the first frame, and the end of the body with the last. */
function asHttpChunks(frames) {
  const pieces = frames.map(asHttpChunk);
  const first = head('200 OK', { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
  return [
    Buffer.concat([first, pieces[0]]),
    ...pieces.slice(1, -1),
    Buffer.concat([pieces.at(-1), Buffer.from('0\r\n\r\n')]),
  ];
}

const asHttpChunk = (text) => Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);

export const answers = {
  plain: { bytes: json(completion) },
  anthropic: { bytes: json(message) },
  embeddings: { bytes: json(embeddings) },
  'stream-50': { events: stream(50) },
  'stream-500': { events: stream(500) },
  'responses-50': { events: responseStream(50) },
  'paced-500': { events: stream(500), paceMs: 4 },
  /** Fails every other call. */
  failing: { bytes: json(completion), failure: json(failure, '503 Service Unavailable') },
};
