// The answers of the upstream, as bytes.

const USAGE = { prompt_tokens: 250, completion_tokens: 150, total_tokens: 400 };
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
  const pieces = [...frames, 'data: [DONE]\n\n'].map(asHttpChunk);
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
  'stream-50': { events: stream(50) },
  'stream-500': { events: stream(500) },
  'paced-500': { events: stream(500), paceMs: 4 },
  /** Fails every other call. */
  failing: { bytes: json(completion), failure: json(failure, '503 Service Unavailable') },
};
