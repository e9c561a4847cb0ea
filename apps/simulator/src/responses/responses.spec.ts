import { collect, readSse } from '@svc/testing';
import OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import {
  type FunctionTool,
  type Response as OpenaiResponse,
  type ResponseCreateParamsNonStreaming,
  type ResponseInputItem,
} from 'openai/resources/responses/responses';
import { z } from 'zod';
import { startSimulator, type Simulator } from '..';

const weatherTool: FunctionTool = {
  type: 'function',
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
  strict: false,
};
const image = `data:image/png;base64,${Buffer.from('any').toString('base64')}`;
const encryptedReasoning = 'reasoning.encrypted_content' as const;

describe('the official OpenAI client, asking for responses', () => {
  let simulator: Simulator;
  let openai: OpenAI;

  beforeAll(async () => {
    simulator = await startSimulator({ port: 0, host: '127.0.0.1' });
    openai = new OpenAI({ baseURL: `${simulator.url}/v1`, apiKey: 'any', maxRetries: 0 });
  });
  afterAll(() => simulator.close());

  type Asked = Partial<Omit<ResponseCreateParamsNonStreaming, 'stream'>>;

  const ask = async (input: Asked['input'], more: Asked = {}): Promise<OpenaiResponse> =>
    openai.responses.create({ model: 'acme-1', input: input!, ...more });

  /** The plain response, and the one that the client put together from the stream of the same call. */
  async function askBothWays(
    input: Asked['input'],
    more: Asked = {},
  ): Promise<readonly [OpenaiResponse, OpenaiResponse]> {
    const stream = openai.responses.stream({ model: 'acme-1', input: input!, ...more });
    return [await ask(input, more), await stream.finalResponse()];
  }

  it('reads a plain response with exact usage and the settings of the call', async () => {
    const response = await ask('Hé!', { instructions: 'Be brief.', temperature: 0.5, metadata: { a: 'b' } });
    expect(response).toMatchObject({
      id: expect.stringMatching(/^resp_sim_/) as string,
      object: 'response',
      status: 'completed',
      model: 'acme-1',
      error: null,
      incomplete_details: null,
      output: [{ type: 'message', role: 'assistant', status: 'completed' }],
      instructions: 'Be brief.',
      temperature: 0.5,
      top_p: 1,
      metadata: { a: 'b' },
      store: true,
      text: { format: { type: 'text' } },
    });
    expect(response.output_text).toBe('This is the Svc simulator, not a language model. You wrote: Hé!');
    // "Be brief." has 9 bytes and "Hé!" 4; the answer has 64.
    expect(response.usage).toMatchObject({ input_tokens: 4, output_tokens: 16, total_tokens: 20 });
  });

  it('streams the whole sequence of events, numbered without a gap', async () => {
    const stream = await openai.responses.create({
      model: 'acme-1',
      input: '@simulator {"reply":"one two","tool_calls":[{"name":"a","arguments":"{}"}]}',
      reasoning: { effort: 'low', summary: 'auto' },
      stream: true,
    });
    const events = await collect(stream);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_event, at) => at));
    const types = events.map(({ type }) => type).filter((type, at, all) => type !== all[at - 1]);
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const deltas = events.filter((event) => event.type === 'response.output_text.delta');
    expect(deltas.map(({ delta }) => delta)).toEqual(['one', ' two']);
  });

  it('puts the plain response together from the stream', async () => {
    const directive = '@simulator {"reply":"one two","tool_calls":[{"name":"a"},{"name":"b"}]}';
    const [plain, streamed] = await askBothWays(directive, { reasoning: { summary: 'auto' } });
    const withoutIds = ({ output, usage, status }: OpenaiResponse) =>
      JSON.parse(JSON.stringify({ output, usage, status }).replace(/[0-9a-f]{32}/g, 'id')) as object;
    // The client adds what it parsed.
    expect(withoutIds(streamed)).toMatchObject(withoutIds(plain));
    expect(plain.output.map(({ type }) => type)).toEqual([
      'reasoning',
      'message',
      'function_call',
      'function_call',
    ]);
  });

  it('calls tools in parallel, and quotes their results', async () => {
    const input: ResponseInputItem[] = [
      {
        role: 'user',
        content: '@simulator {"tool_calls":[{"name":"get_weather"},{"name":"get_weather","arguments":{}}]}',
      },
    ];
    const called = await ask(input, { tools: [weatherTool] });
    const calls = called.output.filter((item) => item.type === 'function_call');
    expect(calls.map((call) => call.arguments)).toEqual(['{"city":"sample","days":1}', '{}']);
    expect(new Set(calls.map((call) => call.call_id)).size).toBe(2);
    const outputs = calls.map(({ call_id }, at) => ({
      type: 'function_call_output' as const,
      call_id,
      output: at === 0 ? '21 degrees' : [{ type: 'input_text' as const, text: 'rain' }],
    }));
    const answered = await ask([...input, ...calls, ...outputs], { tools: [weatherTool] });
    expect(answered.output_text).toContain('The tool answered: 21 degrees | rain');
  });

  it.each<[string, string, Asked['tool_choice'], string[]]>([
    ['is mentioned', 'Use get_weather.', 'auto', ['get_weather']],
    ['is not mentioned', 'hello', 'auto', []],
    ['is required', 'hello', 'required', ['get_weather']],
    ['is forced', 'hello', { type: 'function', name: 'get_weather' }, ['get_weather']],
    [
      'is the one of those allowed',
      'hello',
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'get_weather' }] },
      ['get_weather'],
    ],
    ['is forbidden', 'Use get_weather.', 'none', []],
  ])('decides on a tool that %s', async (_when, input, choice, names) => {
    const { output } = await ask(input, { tools: [weatherTool], tool_choice: choice! });
    expect(output.flatMap((item) => (item.type === 'function_call' ? [item.name] : []))).toEqual(names);
  });

  it('parses JSON of the requested schema, plain and streamed', async () => {
    const format = zodTextFormat(z.object({ ok: z.boolean(), names: z.array(z.string()) }), 'x');
    const asked = { model: 'm', input: 'hello', text: { format } };
    const parsed = { ok: true, names: ['sample'] };
    expect((await openai.responses.parse(asked)).output_parsed).toEqual(parsed);
    expect((await openai.responses.stream(asked).finalResponse()).output_parsed).toEqual(parsed);
    const loose = await ask('hello', { text: { format: { type: 'json_object' } } });
    expect(JSON.parse(loose.output_text)).toHaveProperty('answer');
  });

  it('counts reasoning, and tells it in a summary when asked', async () => {
    const [plain] = (await ask('hello', { reasoning: { effort: 'low' } })).output;
    const summarized = await ask('hello', { reasoning: { effort: 'low', summary: 'detailed' } });
    expect(plain).toMatchObject({ type: 'reasoning', summary: [] });
    expect(summarized.output[0]).toMatchObject({ type: 'reasoning', summary: [{ type: 'summary_text' }] });
    const details = summarized.usage?.output_tokens_details;
    expect(details?.reasoning_tokens).toBeGreaterThan(0);
    expect(summarized.usage?.output_tokens).toBeGreaterThan(details!.reasoning_tokens);
    for (const reasoning of [null, { effort: 'none' }, { effort: null }] as const) {
      expect((await ask('hello', { reasoning })).output.map(({ type }) => type)).toEqual(['message']);
    }
  });

  it('goes on from reasoning that is stored or encrypted, and from no other', async () => {
    const reasoning = { effort: 'low' } as const;
    const question = { role: 'user', content: 'hello' } as const;
    const goOn = async (settings: Asked): Promise<OpenaiResponse> => {
      const { output } = await ask([question], { reasoning, ...settings });
      return ask([question, ...(output as ResponseInputItem[]), question], { reasoning, ...settings });
    };
    await goOn({ store: true });
    await goOn({ store: false, include: [encryptedReasoning] });
    await expect(goOn({ store: false })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('Items are not persisted when `store` is set to false') as string,
    });
    const foreign = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAA' };
    await expect(ask([foreign as ResponseInputItem, question])).rejects.toMatchObject({
      status: 400,
      code: 'invalid_encrypted_content',
    });
  });

  it('is incomplete at the token limit, plain and streamed', async () => {
    const input = `@simulator {"reply":"${'word '.repeat(40)}"}`;
    for (const response of await askBothWays(input, { max_output_tokens: 16 })) {
      expect(response).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ type: 'message', status: 'incomplete' }],
        usage: { output_tokens: 16 },
      });
      expect(response.output_text).toHaveLength(64);
    }
    const filtered = await ask('@simulator {"finish_reason":"content_filter"}');
    expect(filtered).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'content_filter' },
    });
  });

  it('ends with reasoning alone when that took all tokens', async () => {
    const { output } = await ask('hello', { reasoning: { effort: 'low' }, max_output_tokens: 16 });
    expect(output.map(({ type }) => type)).toEqual(['reasoning']);
  });

  it('takes images, and the items of earlier turns', async () => {
    const response = await ask([
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', content: 'first' },
      {
        type: 'message',
        role: 'assistant',
        id: 'msg_1',
        status: 'completed',
        content: [{ type: 'output_text', text: 'second', annotations: [] }],
      },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'third' },
          { type: 'input_image', image_url: image, detail: 'auto' },
          { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'auto' },
        ],
      },
    ]);
    expect(response.output_text).toContain('You wrote: third');
    expect(response.usage?.input_tokens).toBe(7);
  });

  it('fails as directed, before, within and after the head of an answer', async () => {
    await expect(ask('@simulator {"status":429}')).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(ask('@simulator {"cut_after":0}')).rejects.toThrow('terminated');
    const failed = await ask('@simulator {"error_after":0,"error_message":"oops"}');
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'server_error', message: 'oops' } });

    const eventsOf = async (directive: object) =>
      readSse(
        await fetch(`${simulator.url}/v1/responses`, {
          method: 'POST',
          headers: { 'x-simulator': JSON.stringify(directive) },
          body: JSON.stringify({ model: 'm', input: 'hello', stream: true }),
        }),
      );
    const events = await eventsOf({ error_after: 6, error_message: 'oops' });
    expect(events).toHaveLength(7);
    expect(events[6]).toMatchObject({
      event: 'response.failed',
      json: { sequence_number: 6, response: { status: 'failed', error: { message: 'oops' } } },
    });
    expect(await eventsOf({ error_after: 0, error_message: 'oops' })).toMatchObject([
      { event: 'error', json: { type: 'error', message: 'oops', sequence_number: 0 } },
    ]);
    expect(await eventsOf({ end_after: 3 })).toHaveLength(3);
  });

  const user = { role: 'user', content: 'x' };
  const call = { type: 'function_call', call_id: 'call_1', name: 'a', arguments: '{}' };
  const output = { type: 'function_call_output', call_id: 'call_1', output: 'x' };
  it.each([
    [{ input: 'x' }, 400, 'model'],
    [{ model: 'm' }, 400, 'input'],
    [{ model: 'm', input: [] }, 400, 'input'],
    [{ model: 'm', input: [{ role: 'robot', content: 'x' }] }, 400, 'input[0].role'],
    [
      { model: 'm', input: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] },
      400,
      'input[0].content[0]',
    ],
    [
      { model: 'm', input: [{ role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }] },
      400,
      'input[0].content[0]',
    ],
    [
      { model: 'm', input: [{ role: 'user', content: [{ type: 'input_image', image_url: { url: 'x' } }] }] },
      400,
      'input[0].content[0].image_url',
    ],
    [{ model: 'm', input: [user, call] }, 400, 'input'],
    [{ model: 'm', input: [user, output] }, 400, 'input'],
    [{ model: 'm', input: [{ type: 'item_reference', id: 'msg_1' }] }, 404, 'input'],
    [{ model: 'm', input: 'x', max_output_tokens: 15 }, 400, 'max_output_tokens'],
    [
      { model: 'm', input: 'x', tools: [{ type: 'function', function: { name: 'a' } }] },
      400,
      'tools[0].name',
    ],
    [{ model: 'm', input: 'x', tool_choice: 'required' }, 400, 'tool_choice'],
    [
      { model: 'm', input: 'x', text: { format: { type: 'json_schema', schema: {} } } },
      400,
      'text.format.name',
    ],
    [{ model: 'm', input: 'x', text: { format: { type: 'xml' } } }, 400, 'text.format.type'],
    [{ model: 'm', input: 'x', previous_response_id: 'resp_1' }, 400, 'previous_response_id'],
    [{ model: 'm', input: 'x', conversation: 'conv_1' }, 404, 'conversation'],
    [{ model: 'm', input: 'x', background: true }, 400, 'background'],
  ])('is refused %j, naming the parameter', async (body, status, param) => {
    await expect(openai.responses.create(body as never)).rejects.toMatchObject({
      status,
      type: 'invalid_request_error',
      param,
    });
  });

  it('is recorded in the journal', async () => {
    simulator.journal.clear();
    await collect(await openai.responses.create({ model: 'm', input: 'private', stream: true }));
    expect(simulator.journal.entries()).toMatchObject([
      { path: '/v1/responses', model: 'm', stream: true, status: 200, outcome: 'delivered' },
    ]);
  });
});
