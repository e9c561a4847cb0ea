import { once } from 'node:events';
import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { ScriptedUpstream } from '@svc/testing';
import { catalogOf, testModel } from './harness/catalog-file';
import { post, svcOf, type ErrorBody } from './harness/clients';
import { endedWell, framesOf } from './harness/stream-frames';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const TEXT = 'Hello from far away';
/** More than the gateway reads of a plain answer, or of a stream that has not begun. */
const BOMB = gzipSync(Buffer.alloc(65 * 1024 * 1024, ' '));
const CODINGS = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };
const codings = Object.entries(CODINGS);

const data = (value: unknown, event = ''): string =>
  `${event === '' ? '' : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;
const usage = { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9, input_tokens: 5, output_tokens: 4 };
const chunk = (choice: object, more: object = {}) =>
  data({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, ...choice }], ...more });
const BEGINNING = chunk({ delta: { role: 'assistant', content: TEXT } });
const END = `${chunk({ delta: {}, finish_reason: 'stop' }, { usage })}data: [DONE]\n\n`;

const answers = {
  '/v1/chat/completions': {
    plain: {
      id: 'c',
      object: 'chat.completion',
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' }],
      usage,
    },
    stream: BEGINNING + END,
  },
  '/v1/messages': {
    plain: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: TEXT }],
      stop_reason: 'end_turn',
      usage,
    },
    stream: [
      { type: 'message_start', message: { id: 'm', type: 'message', model: 'm', content: [], usage } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: TEXT } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
      { type: 'message_stop' },
    ]
      .map((event) => data(event, event.type))
      .join(''),
  },
} as const;
type Route = keyof typeof answers;
const routes = Object.keys(answers) as Route[];
const CHAT = '/v1/chat/completions';

describe('an upstream that compresses without being asked', () => {
  let upstream: ScriptedUpstream;
  let other: ScriptedUpstream;
  let svc: SharedSvc;
  beforeAll(async () => {
    upstream = await ScriptedUpstream.start();
    other = await ScriptedUpstream.start();
    const plan = [
      { name: 'compressing', url: upstream.url, region: 'eu' },
      { name: 'plain', url: other.url, region: 'us' },
    ] as const;
    svc = await sharedSvc({ catalog: () => catalogOf(...plan) });
  });
  afterAll(async () => {
    await upstream.close();
    await other.close();
  });

  const answersWith = (body: Uint8Array | string, coding: string | null, status = 200, on = upstream) => {
    on.next((_, response) => {
      response.writeHead(status, coding === null ? {} : { 'content-encoding': coding }).end(body);
    });
  };
  let conversations = 0;
  const call = (route: Route, stream = false) =>
    post(svc, route, {
      model: testModel,
      max_tokens: 50,
      stream,
      // Each begins a conversation: none returns to where an earlier one was answered.
      messages: [{ role: 'user', content: `Hi ${String(++conversations)}` }],
    });
  const regionsOf = (answer: unknown) => svcOf(answer).attempts.map(({ region }) => region);

  it.each(routes.flatMap((route) => codings.map(([coding, compress]) => ({ route, coding, compress }))))(
    'with $coding is understood on $route, plain and streamed',
    async ({ route, coding, compress }) => {
      const { plain, stream } = answers[route];
      answersWith(compress(JSON.stringify(plain)), coding);
      const whole = await call(route);
      expect(whole.headers.get('content-encoding')).toBeNull();
      const answer: unknown = await whole.json();
      expect(JSON.stringify(answer)).toContain(TEXT);
      expect(svcOf(answer)).toMatchObject({ attempts: [{ region: 'eu' }], cost: { state: 'final' } });
      answersWith(compress(stream), coding);
      const text = await (await call(route, true)).text();
      expect(text).toContain(TEXT);
      expect(endedWell(text)).toBe(true);
    },
  );

  it('is streamed as it writes, not when it has ended', async () => {
    const whenRead = Promise.withResolvers<undefined>();
    upstream.next(async (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
      gzip.pipe(response);
      gzip.write(BEGINNING);
      await whenRead.promise;
      gzip.end(END);
      await once(response, 'finish');
    });
    const reader = (await call(CHAT, true)).body!.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toContain(TEXT);
    whenRead.resolve(undefined);
    let rest = '';
    for (let read = await reader.read(); !read.done; read = await reader.read()) rest += read.value;
    expect(endedWell(rest)).toBe(true);
  });

  it.each([
    ['more than is read', BOMB, 'gzip'],
    ['twice', gzipSync(gzipSync(JSON.stringify(answers[CHAT].plain))), 'gzip, gzip'],
    ['in a way that nobody knows', gzipSync('{}'), 'compress'],
    ['what breaks off', gzipSync(JSON.stringify(answers[CHAT].plain)).subarray(0, -9), 'gzip'],
    ['nothing, and says that it did', Buffer.from(JSON.stringify(answers[CHAT].plain)), 'br'],
  ])('%s gives no answer: the next endpoint does', async (_, body, coding) => {
    for (const stream of [false, true]) {
      answersWith(body, coding);
      answersWith(stream ? answers[CHAT].stream : JSON.stringify(answers[CHAT].plain), null, 200, other);
      const text = await (await call(CHAT, stream)).text();
      const answer: unknown = stream ? framesOf(text).at(-1) : JSON.parse(text);
      expect(regionsOf(answer)).toEqual(['eu', 'us']);
      expect(svcOf(answer).attempts[0]).toMatchObject({ error: 'provider_error' });
    }
    await closeCircuit();
  });

  it('has its refusals understood, and a bomb among them is not read whole', async () => {
    const refusal = JSON.stringify({ error: { message: 'too warm', filling: 'x'.repeat(1024) } });
    for (const [coding, compress] of codings) {
      answersWith(compress(refusal), coding, 400);
      const response = await call(CHAT);
      expect(response.status).toBe(400);
      const { error } = (await response.json()) as ErrorBody;
      expect(error).toMatchObject({ code: 'provider_http_400' });
      expect(error.message).toContain('too warm');
    }
    answersWith(BOMB, 'gzip', 400);
    expect((await call(CHAT)).status).toBe(400);
  });

  /** A success, so that the next failures do not open the circuit. */
  async function closeCircuit(): Promise<void> {
    answersWith(JSON.stringify(answers[CHAT].plain), null);
    expect((await call(CHAT)).status).toBe(200);
  }
});
