import { collect } from '@svc/testing';
import OpenAI from 'openai';
import { type ChatCompletionTool } from 'openai/resources/chat/completions';
import { startSimulator, type Simulator } from './index';

const weatherTool: ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
  },
};

describe('the official OpenAI client', () => {
  let simulator: Simulator;
  let openai: OpenAI;

  beforeAll(async () => {
    simulator = await startSimulator({ port: 0, host: '127.0.0.1' });
    openai = new OpenAI({ baseURL: `${simulator.url}/v1`, apiKey: 'any', maxRetries: 0 });
  });
  afterAll(() => simulator.close());

  it('reads a plain answer with exact usage', async () => {
    const completion = await openai.chat.completions.create({
      model: 'acme-1',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Hé!' }] },
      ],
    });
    const content = 'This is the Svc simulator, not a language model. You wrote: Hé!';
    expect(completion).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-sim-/) as string,
      object: 'chat.completion',
      model: 'acme-1',
      system_fingerprint: 'svc-simulator',
      choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop' }],
    });
    // "Be brief." has 9 bytes and "Hé!" 4; the answer has 64.
    expect(completion.usage).toMatchObject({ prompt_tokens: 4, completion_tokens: 16, total_tokens: 20 });
  });

  it('streams word by word and ends with usage when asked', async () => {
    const stream = await openai.chat.completions.create({
      model: 'acme-1',
      messages: [{ role: 'user', content: '@simulator {"reply":"one two three"}' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await collect(stream);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content)).toEqual([
      '',
      'one',
      ' two',
      ' three',
      undefined,
      undefined,
    ]);
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([
      null,
      null,
      null,
      null,
      'stop',
      undefined,
    ]);
    expect(chunks.map(({ usage }) => usage?.completion_tokens)).toEqual([...Array<undefined>(5), 4]);
    expect(chunks.slice(0, 5).every(({ usage }) => usage === null)).toBe(true);
    expect(chunks[5]?.choices).toEqual([]);
  });

  it('streams no usage unless asked', async () => {
    const stream = await openai.chat.completions.create({
      model: 'acme-1',
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
    });
    const chunks = await collect(stream);
    expect(chunks.every((chunk) => !('usage' in chunk))).toBe(true);
    expect(chunks.every(({ choices }) => choices.length === 1)).toBe(true);
  });

  it('streams several choices that each end', async () => {
    const completion = await openai.chat.completions
      .stream({ model: 'm', messages: [{ role: 'user', content: '@simulator {"reply":"a b"}' }], n: 3 })
      .finalChatCompletion();
    expect(completion.choices.map(({ message, finish_reason }) => [message.content, finish_reason])).toEqual(
      Array.from({ length: 3 }, () => ['a b', 'stop']),
    );
  });

  it('calls the tool that the user mentions, plain and streamed, and quotes its result', async () => {
    const asked = {
      model: 'm',
      messages: [{ role: 'user' as const, content: 'Use get_weather.' }],
      tools: [weatherTool],
    };
    const plain = await openai.chat.completions.create(asked);
    const streamed = await openai.chat.completions.stream(asked).finalChatCompletion();
    for (const { choices } of [plain, streamed]) {
      expect(choices[0]).toMatchObject({
        finish_reason: 'tool_calls',
        message: {
          content: null,
          tool_calls: [
            { type: 'function', function: { name: 'get_weather', arguments: '{"city":"sample","days":1}' } },
          ],
        },
      });
    }
    const { message } = plain.choices[0]!;
    const answered = await openai.chat.completions.create({
      ...asked,
      messages: [
        ...asked.messages,
        message,
        { role: 'tool', tool_call_id: message.tool_calls![0]!.id, content: '21 degrees' },
      ],
    });
    expect(answered.choices[0]?.message.content).toContain('The tool answered: 21 degrees');
  });

  it('streams the arguments of parallel calls in several pieces', async () => {
    const stream = await openai.chat.completions.create({
      model: 'm',
      messages: [
        {
          role: 'user',
          content: '@simulator {"tool_calls":[{"name":"a","arguments":{"x":"😀"}},{"name":"b"}]}',
        },
      ],
      stream: true,
    });
    const deltas = (await collect(stream)).flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
    const argumentsOf = (index: number) =>
      deltas.filter((delta) => delta.index === index).map((delta) => delta.function?.arguments ?? '');
    expect(argumentsOf(0).join('')).toBe('{"x":"😀"}');
    expect(argumentsOf(0).filter((piece) => piece !== '').length).toBeGreaterThan(1);
    expect(argumentsOf(1).join('')).toBe('{}');
    expect(deltas.filter(({ id }) => id !== undefined)).toHaveLength(2);
  });

  it('answers JSON of the requested schema', async () => {
    const completion = await openai.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: 'hello' }],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'x', schema: { type: 'object', properties: { ok: { type: 'boolean' } } } },
      },
    });
    expect(completion.choices[0]?.message.content).toBe('{"ok":true}');
  });

  it.each([
    [{ max_tokens: 3 }, 'length', 'one two thre', 3],
    [{ max_completion_tokens: 2, max_tokens: 50 }, 'length', 'one two ', 2],
    [{ stop: [' two'] }, 'stop', 'one', 1],
  ])('respects %j', async (limits, finishReason, content, tokenCount) => {
    const { choices, usage } = await openai.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: '@simulator {"reply":"one two three four"}' }],
      ...limits,
    });
    expect(choices[0]).toMatchObject({ finish_reason: finishReason, message: { content } });
    expect(usage?.completion_tokens).toBe(tokenCount);
  });

  it('raises typed errors for directed statuses and for errors within a stream', async () => {
    const failing = openai.chat.completions.create({
      model: 'm',
      messages: [
        {
          role: 'user',
          content: '@simulator {"status":429,"error_message":"slow down","headers":{"retry-after":"7"}}',
        },
      ],
    });
    const error = await failing.then(undefined, (thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    expect((error as InstanceType<typeof OpenAI.APIError>).headers?.get('retry-after')).toBe('7');
    expect((error as Error).message).toContain('slow down');

    const stream = await openai.chat.completions.create({
      model: 'm',
      messages: [{ role: 'user', content: '@simulator {"error_after":2}' }],
      stream: true,
    });
    await expect(collect(stream)).rejects.toMatchObject({ code: 'overloaded' });
  });

  it.each([
    [{ messages: [{ role: 'user', content: 'x' }] }, 'model'],
    [{ model: 'm' }, 'messages'],
    [{ model: 'm', messages: [] }, 'messages'],
    [{ model: 'm', messages: [{ role: 'robot', content: 'x' }] }, 'messages[0].role'],
    [
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'text' }] }] },
      'messages[0].content[0].text',
    ],
    [{ model: 'm', messages: [{ role: 'user', content: 'x' }], max_tokens: 0 }, 'max_tokens'],
    [{ model: 'm', messages: [{ role: 'user', content: 'x' }], tool_choice: 'required' }, 'tool_choice'],
  ])('is refused %j, naming the parameter', async (body, param) => {
    await expect(openai.chat.completions.create(body as never)).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      param,
    });
  });

  it('lists models', async () => {
    expect((await collect(openai.models.list())).map(({ id }) => id)).toContain('sim-small');
  });
});
