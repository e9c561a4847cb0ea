import { eventually, ScriptedUpstream, type ScriptedAnswer } from '@svc/testing';
import { catalogOf, testModel } from './harness/catalog-file';
import { post, svcOf } from './harness/clients';
import { framesOf } from './harness/stream-frames';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER_SPAN = '00f067aa0ba902b7';
const traceparent = `00-${TRACE_ID}-${CALLER_SPAN}-01`;
const tracestate = 'rojo=00f067aa0ba902b7, congo=t61rcWkgMzE';
const CHILD = new RegExp(`^00-${TRACE_ID}-(?!${CALLER_SPAN})[0-9a-f]{16}-01$`);

const JSON_TYPE = { 'content-type': 'application/json' };
const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 };
const answers =
  (headers: Record<string, string> = {}): ScriptedAnswer =>
  (_, response) => {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }];
    const body = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage };
    response.writeHead(200, { ...JSON_TYPE, ...headers }).end(JSON.stringify(body));
  };
const streams =
  (headers: Record<string, string> = {}): ScriptedAnswer =>
  (_, response) => {
    const chunk = (choice: object, more: object = {}) => {
      const choices = [{ index: 0, ...choice }];
      const body = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more };
      return `data: ${JSON.stringify(body)}\n\n`;
    };
    const first = chunk({ delta: { role: 'assistant', content: 'Hi' } });
    const last = chunk({ delta: {}, finish_reason: 'stop' }, { usage });
    response
      .writeHead(200, { 'content-type': 'text/event-stream', ...headers })
      .end(`${first}${last}data: [DONE]\n\n`);
  };
/** A rate limit opens no circuit, however many specs ask for one. */
const isBusy =
  (headers: Record<string, string> = {}): ScriptedAnswer =>
  (_, response) =>
    void response.writeHead(429, { ...JSON_TYPE, ...headers }).end('{"error": {"message": "Busy"}}');
/** Unlike a connection that breaks, this is not tried again on a new one. */
const speaksNoHttp: ScriptedAnswer = (_, response) => void response.socket?.end('no HTTP\r\n\r\n');

interface RequestRecord {
  readonly status: string;
  readonly trace_id: string | null;
  readonly attempts: readonly { readonly upstream_request_id: string | null }[];
}
interface LogLine {
  readonly request_id?: string;
  readonly [field: string]: unknown;
}

describe('a call that is followed by', () => {
  let upstream: ScriptedUpstream;
  let svc: SharedSvc;
  beforeAll(async () => {
    upstream = await ScriptedUpstream.start();
    const { url } = upstream;
    svc = await sharedSvc({
      catalog: () => catalogOf({ name: 'traced', url }, { name: 'second-traced', url }),
    });
  });
  beforeEach(() => {
    upstream.received.length = 0;
  });
  afterAll(() => upstream.close());

  const call = { model: testModel, messages: [{ role: 'user', content: 'Hello' }] };
  const ask = (headers: Record<string, string>, body: object = call) =>
    post(svc, '/v1/chat/completions', body, { headers });
  const sentUpstream = () =>
    upstream.received.map(({ headers }) => [headers['traceparent'], headers['tracestate']] as const);
  const idOf = (response: Response): string => response.headers.get('x-request-id') ?? '';
  const get = async (path: string): Promise<unknown> => {
    const response = await fetch(svc.baseUrl + path, { headers: { authorization: `Bearer ${svc.apiKey}` } });
    expect(response.status).toBe(200);
    return response.json();
  };
  const recordOf = async (response: Response): Promise<RequestRecord> =>
    (await get(`/api/v1/requests/${idOf(response)}`)) as RequestRecord;
  const logLineOf = (response: Response): Promise<LogLine> =>
    eventually(() => {
      const lines = svc
        .logs()
        .split('\n')
        .filter((line) => line.startsWith('{') && line.includes(idOf(response)));
      const found = lines.map((line) => JSON.parse(line) as LogLine).find(({ msg }) => msg !== undefined);
      if (found === undefined) throw new Error('The log has no line of this call yet.');
      return found;
    });

  describe('its trace, which', () => {
    it.each([
      ['plain', call, answers()],
      ['streamed', { ...call, stream: true }, streams()],
    ])('goes on at the provider of a %s call, in its log line and on its record', async (_, body, answer) => {
      upstream.next(answer);
      const response = await ask({ traceparent, tracestate, baggage: 'user=1' }, body);
      await response.text();

      expect(sentUpstream()).toEqual([[expect.stringMatching(CHILD), tracestate]]);
      expect(upstream.received[0]?.headers['baggage']).toBeUndefined();
      expect(await recordOf(response)).toMatchObject({ status: 'succeeded', trace_id: TRACE_ID });
      const { span_id: spanId, ...line } = await logLineOf(response);
      expect(line).toMatchObject({ trace_id: TRACE_ID, parent_span_id: CALLER_SPAN });
      expect(spanId).toMatch(/^[0-9a-f]{16}$/);
    });

    it('has another span for each attempt of a fallback', async () => {
      upstream.next(isBusy());
      upstream.next(answers());
      await ask({ traceparent, tracestate });

      const [first, second] = sentUpstream();
      for (const [parent, state] of [first!, second!]) {
        expect(parent).toMatch(CHILD);
        expect(state).toBe(tracestate);
      }
      expect(first![0]).not.toBe(second![0]);
    });

    it('is kept for a call that failed, and one that was refused has it in the log', async () => {
      upstream.next(isBusy());
      upstream.next(isBusy());
      const failed = await ask({ traceparent });
      expect(failed.status).toBe(429);
      expect(await recordOf(failed)).toMatchObject({ status: 'failed', trace_id: TRACE_ID });

      const refused = await ask({ traceparent }, { ...call, model: 'test/unknown' });
      expect(refused.status).toBe(404);
      expect(await logLineOf(refused)).toMatchObject({ trace_id: TRACE_ID, outcome: 'refused' });
    });

    it('is on the record while the call is under way', async () => {
      const seen = Promise.withResolvers<undefined>();
      upstream.next(async (incoming, response) => {
        await seen.promise;
        await answers()(incoming, response);
      });
      const asked = ask({ traceparent });
      await eventually(() => {
        expect(upstream.received).toHaveLength(1);
      });
      expect(await get(`/api/v1/requests?trace_id=${TRACE_ID}&status=pending`)).toMatchObject({
        data: [{ status: 'pending', trace_id: TRACE_ID, attempts: [] }],
      });
      seen.resolve(undefined);
      expect((await asked).status).toBe(200);
    });

    it('is each call’s own when many run at once', async () => {
      const traceIds = Array.from({ length: 10 }, (_, at) => String(at + 1).padStart(32, '0'));
      for (const _ of traceIds) upstream.next(answers());
      const responses = await Promise.all(
        traceIds.map((traceId) => ask({ traceparent: `00-${traceId}-${CALLER_SPAN}-01` })),
      );
      const records = await Promise.all(responses.map(recordOf));
      expect(records.map((record) => record.trace_id)).toEqual(traceIds);
      const sent = sentUpstream().map(([parent]) => String(parent).split('-'));
      expect(sent.map(([, traceId]) => traceId).toSorted()).toEqual(traceIds);
      expect(new Set(sent.map(([, , spanId]) => spanId)).size).toBe(traceIds.length);
    });

    it('is found by its id in the list of requests', async () => {
      const other = '0af7651916cd43dd8448eb211c80319c';
      upstream.next(answers());
      const response = await ask({ traceparent: `00-${other}-${CALLER_SPAN}-00` });
      expect(sentUpstream()[0]?.[0]).toMatch(new RegExp(`^00-${other}-[0-9a-f]{16}-00$`));
      expect(await get(`/api/v1/requests?trace_id=${other}`)).toMatchObject({
        data: [{ id: idOf(response), trace_id: other }],
        has_more: false,
      });
    });

    it.each([
      ['is not valid', { traceparent: `00-${'0'.repeat(32)}-${CALLER_SPAN}-01`, tracestate }],
      ['has version ff', { traceparent: `ff-${TRACE_ID}-${CALLER_SPAN}-01`, tracestate }],
      ['is missing', { tracestate }],
    ])('is ignored when its traceparent %s, and none is begun', async (_, headers) => {
      upstream.next(answers());
      const response = await ask(headers);
      expect(response.status).toBe(200);
      expect(sentUpstream()).toEqual([[undefined, undefined]]);
      expect((await recordOf(response)).trace_id).toBeNull();
      const line = await logLineOf(response);
      expect(line).toMatchObject({ msg: 'inference call' });
      expect(line).not.toHaveProperty('trace_id');
      expect(line).not.toHaveProperty('span_id');
    });

    it('goes on without its tracestate when that is too long', async () => {
      upstream.next(answers());
      const response = await ask({ traceparent, tracestate: `a=${'v'.repeat(250)},b=${'v'.repeat(300)}` });
      expect(response.status).toBe(200);
      expect(sentUpstream()).toEqual([[expect.stringMatching(CHILD), undefined]]);
    });

    it('goes on at the provider that counts a prompt', async () => {
      upstream.next((_, response) => void response.writeHead(200, JSON_TYPE).end('{"input_tokens": 8}'));
      const headers = { traceparent, tracestate };
      const response = await post(svc, '/v1/messages/count_tokens', call, { headers });
      expect(await response.json()).toEqual({ input_tokens: 8 });
      expect(sentUpstream()).toEqual([[expect.stringMatching(CHILD), tracestate]]);
      expect(await logLineOf(response)).toMatchObject({ msg: 'token count', trace_id: TRACE_ID });
    });

    it('is in the log line of a management request', async () => {
      const headers = { traceparent, authorization: `Bearer ${svc.apiKey}` };
      const response = await fetch(`${svc.baseUrl}/api/v1/requests?limit=1`, { headers });
      expect(await logLineOf(response)).toMatchObject({ msg: 'request', trace_id: TRACE_ID });
    });
  });

  describe('the provider’s request id, which', () => {
    it('is of each attempt on the record and in the log line, and not in the answer', async () => {
      upstream.next(isBusy({ 'request-id': 'req_of_first' }));
      upstream.next(answers({ 'x-request-id': 'req-of-second' }));
      const response = await ask({});
      const ids = ['req_of_first', 'req-of-second'];
      expect((await recordOf(response)).attempts.map((attempt) => attempt.upstream_request_id)).toEqual(ids);
      expect(await logLineOf(response)).toMatchObject({ upstream_request_ids: ids, attempts: 2 });
      const { attempts } = svcOf(await response.json());
      expect(attempts).toHaveLength(2);
      for (const attempt of attempts) expect(attempt).not.toHaveProperty('upstream_request_id');
    });

    it('is kept of a stream too, and is null for a provider that did not answer', async () => {
      upstream.next(speaksNoHttp);
      upstream.next(streams({ 'x-request-id': 'req-of-stream' }));
      const response = await ask({}, { ...call, stream: true });
      const svcFrame = framesOf(await response.text()).find((frame) => 'svc' in frame);
      expect(svcOf(svcFrame).attempts[0]).not.toHaveProperty('upstream_request_id');
      expect((await recordOf(response)).attempts).toMatchObject([
        { status: null, upstream_request_id: null },
        { status: 200, upstream_request_id: 'req-of-stream' },
      ]);
    });

    it('is not kept when it is not 1 to 200 visible ASCII characters', async () => {
      upstream.next(answers({ 'x-request-id': 'r'.repeat(201) }));
      const response = await ask({});
      expect((await recordOf(response)).attempts).toMatchObject([{ upstream_request_id: null }]);
    });
  });
});
