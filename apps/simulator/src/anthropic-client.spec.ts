import Anthropic from '@anthropic-ai/sdk';
import { collect, readSse } from '@svc/testing';
import { startSimulator, type Simulator } from './index';

describe('the official Anthropic client', () => {
  let simulator: Simulator;
  let anthropic: Anthropic;
  const ask = (content: Anthropic.MessageParam['content']) => ({
    model: 'claude-x',
    max_tokens: 1000,
    messages: [{ role: 'user' as const, content }],
  });

  beforeAll(async () => {
    simulator = await startSimulator({ port: 0, host: '127.0.0.1' });
    anthropic = new Anthropic({ baseURL: simulator.url, apiKey: 'any', maxRetries: 0 });
  });
  afterAll(() => simulator.close());

  it('reads a plain answer with exact usage', async () => {
    const message = await anthropic.messages.create({
      ...ask('Hello'),
      system: [{ type: 'text', text: 'Be brief.' }],
    });
    expect(message).toMatchObject({
      id: expect.stringMatching(/^msg_sim_/) as string,
      type: 'message',
      role: 'assistant',
      model: 'claude-x',
      content: [{ type: 'text', text: 'This is the Svc simulator, not a language model. You wrote: Hello' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 4, output_tokens: 17, cache_read_input_tokens: 0 },
    });
  });

  it('streams to the same message that it answers plain', async () => {
    const asked = ask(
      '@simulator {"reply":"one two","cached_tokens":5,"cache_write_tokens":2,"usage":{"input_tokens":20}}',
    );
    const plain = await anthropic.messages.create(asked);
    const streamed = await anthropic.messages.stream(asked).finalMessage();
    expect({ ...streamed, id: plain.id }).toMatchObject(JSON.parse(JSON.stringify(plain)) as object);
    expect(plain.usage).toMatchObject({
      input_tokens: 13,
      cache_read_input_tokens: 5,
      cache_creation_input_tokens: 2,
      output_tokens: 2,
    });
  });

  it('sends the events in their order, each named on its line and in its data, with cumulative usage', async () => {
    const response = await fetch(`${simulator.url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify({ ...ask('@simulator {"reply":"one two three"}'), stream: true }),
    });
    const frames = (await readSse(response)).map(({ event, json }) => ({
      event,
      ...(json as { type: string }),
    }));
    expect(frames.every(({ event, type }) => event === type)).toBe(true);
    expect(frames.map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      ...Array<string>(3).fill('content_block_delta'),
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(frames[0]).toMatchObject({ message: { content: [], usage: { output_tokens: 1 } } });
    expect(frames[7]).toMatchObject({ delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } });
  });

  it('uses the forced tool, plain and streamed, and quotes its result', async () => {
    const tools = [
      { name: 'roll', input_schema: { type: 'object' as const, properties: { sides: { type: 'integer' } } } },
    ];
    const asked = { ...ask('go'), tools, tool_choice: { type: 'any' as const } };
    const plain = await anthropic.messages.create(asked);
    const streamed = await anthropic.messages.stream(asked).finalMessage();
    for (const message of [plain, streamed]) {
      expect(message.stop_reason).toBe('tool_use');
      expect(message.content).toMatchObject([{ type: 'tool_use', name: 'roll', input: { sides: 1 } }]);
    }
    const [block] = plain.content as [Anthropic.ToolUseBlock];
    const answered = await anthropic.messages.create({
      ...asked,
      messages: [
        ...asked.messages,
        { role: 'assistant', content: plain.content as Anthropic.ContentBlockParam[] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: block.id, content: [{ type: 'text', text: 'six' }] }],
        },
      ],
    });
    expect(answered.content).toMatchObject([
      { type: 'text', text: expect.stringContaining('The tool answered: six') as string },
    ]);
  });

  it('thinks when asked, with a signature of the simulator', async () => {
    const asked = {
      ...ask('hello'),
      thinking: { type: 'enabled' as const, budget_tokens: 1024 },
      max_tokens: 2000,
    };
    const plain = await anthropic.messages.create(asked);
    const streamed = await anthropic.messages.stream(asked).finalMessage();
    expect(plain.content.map(({ type }) => type)).toEqual(['thinking', 'text']);
    expect(plain.content[0]).toMatchObject({ signature: 'svc-simulator-signature' });
    expect(streamed.content).toEqual(plain.content);
    expect(plain.usage.output_tokens_details?.thinking_tokens).toBeGreaterThan(10);
  });

  it('respects max_tokens and stop_sequences', async () => {
    const told = ask('@simulator {"reply":"one two three four"}');
    const cut = await anthropic.messages.create({ ...told, max_tokens: 2 });
    expect(cut).toMatchObject({
      stop_reason: 'max_tokens',
      content: [{ text: 'one two ' }],
      usage: { output_tokens: 2 },
    });
    const stopped = await anthropic.messages.create({ ...told, stop_sequences: [' three'] });
    expect(stopped).toMatchObject({
      stop_reason: 'stop_sequence',
      stop_sequence: ' three',
      content: [{ text: 'one two' }],
    });
  });

  it('answers JSON of the requested schema', async () => {
    const message = await anthropic.messages.create({
      ...ask('hello'),
      output_config: {
        format: { type: 'json_schema', schema: { type: 'object', properties: { n: { type: 'integer' } } } },
      },
    });
    expect(message.content).toMatchObject([{ text: '{"n":1}' }]);
  });

  it('counts tokens as it charges them', async () => {
    const { max_tokens: _limit, ...counted } = ask('Hello there');
    expect(await anthropic.messages.countTokens(counted)).toEqual({ input_tokens: 3 });
  });

  it('reads only the last 200,000 tokens of a prompt', async () => {
    const message = await anthropic.messages.create(ask(`${'a'.repeat(3_000_000)} the end`));
    expect(message.usage.input_tokens).toBe(200_000);
    expect(message.content).toMatchObject([{ text: expect.stringMatching(/a the end$/) as string }]);
  });

  it('raises typed errors for directed statuses and for errors within a stream', async () => {
    const failing = anthropic.messages.create(ask('@simulator {"status":529}'));
    await expect(failing).rejects.toMatchObject({
      status: 529,
      error: { type: 'error', error: { type: 'overloaded_error' } },
    });
    const stream = await anthropic.messages.create({
      ...ask('@simulator {"error_after":3,"error_message":"oops"}'),
      stream: true,
    });
    await expect(collect(stream)).rejects.toThrow('oops');
  });

  it.each([
    [{ model: 'm', messages: [{ role: 'user', content: 'x' }] }, 'max_tokens'],
    [{ model: 'm', max_tokens: 5 }, 'messages'],
    [{ max_tokens: 5, messages: [{ role: 'user', content: 'x' }] }, 'model'],
    [{ model: 'm', max_tokens: 5, messages: [{ role: 'tool', content: 'x' }] }, 'messages[0].role'],
  ])('is refused %j', async (body, param) => {
    const error = (await anthropic.messages
      .create(body as never)
      .then(undefined, (thrown: unknown) => thrown)) as Error;
    expect(error).toBeInstanceOf(Anthropic.BadRequestError);
    expect(error.message).toContain(`'${param}'`);
    expect(error).toMatchObject({ error: { type: 'error', error: { type: 'invalid_request_error' } } });
  });

  it('is refused a field of a beta that it does not name, when calling and when counting', async () => {
    const { max_tokens, ...counted } = ask('Hello');
    const fields = { context_management: { edits: [] }, mcp_servers: [] };
    const betas = ['context-management-2025-06-27', 'mcp-client-2025-11-20'];
    await expect(
      anthropic.beta.messages.create({ ...counted, max_tokens, ...fields, betas: betas.slice(1) }),
    ).rejects.toMatchObject({
      status: 400,
      error: {
        error: {
          type: 'invalid_request_error',
          message: 'context_management: Extra inputs are not permitted',
        },
      },
    });
    await expect(anthropic.beta.messages.countTokens({ ...counted, ...fields })).rejects.toMatchObject({
      status: 400,
    });
    expect(await anthropic.beta.messages.create({ ...counted, max_tokens, ...fields, betas })).toMatchObject({
      stop_reason: 'end_turn',
    });
    expect(await anthropic.beta.messages.countTokens({ ...counted, ...fields, betas })).toMatchObject({
      input_tokens: 2,
    });
  });
});
