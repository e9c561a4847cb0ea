import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { errorEnvelope, GatewayError } from '@svc/kernel';
import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';
import {
  type Operation,
  parseCall,
  type ParsedCall,
  renderPlainAnswer,
  streamErrorFrame,
  translateCall,
  translatedRelayForCall,
  translatePlainAnswer,
} from '../src';

/** A minimal gateway: one route per protocol, each over an upstream that speaks another one. */
const additions = { svc: { provider: 'acme' } };
const createdAtSeconds = 1767225600;

const goldenStream = (name: string): string =>
  readFileSync(join(__dirname, 'golden/streams', name, 'upstream.sse'), 'utf8');
const goldenAnswer = (name: string): string => {
  const golden = JSON.parse(readFileSync(join(__dirname, 'golden/answers', `${name}.json`), 'utf8')) as {
    upstream_answer: unknown;
  };
  return JSON.stringify(golden.upstream_answer);
};

/** The protocol of the upstream of a responses call, its next answer and the last body it received. */
let spoken: 'chat_completions' | 'messages' = 'chat_completions';
const other: Partial<Record<Operation, Operation>> = {
  chat_completions: 'messages',
  messages: 'chat_completions',
};
let upstreamSays = '';
let upstreamAsked: { messages: Record<string, unknown>[] } & Record<string, unknown>;

function answer(call: ParsedCall): readonly Uint8Array[] {
  const facts = call.operation === 'responses' ? { createdAtSeconds, spoken } : { createdAtSeconds };
  const target = { upstreamModel: 'm-1', maxOutputTokens: 1024, operation: other[call.operation] ?? spoken };
  const { body } = translateCall(call, target);
  upstreamAsked = JSON.parse(Buffer.concat(body).toString()) as typeof upstreamAsked;
  const bytes = Buffer.from(upstreamSays);
  if (!call.stream) {
    const translated = translatePlainAnswer(call, bytes, facts);
    return renderPlainAnswer(translated!, { model: call.model, additions });
  }
  const relay = translatedRelayForCall(call, facts);
  // Chunks of seven bytes cut every frame.
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += 7) pieces.push(...relay.push(bytes.subarray(at, at + 7)));
  relay.end();
  if (relay.state === 'complete') return [...pieces, ...relay.finish(additions)];
  const error = new GatewayError('providerError', relay.failure?.message ?? '');
  const envelope = errorEnvelope(error, 'req_1');
  return [...pieces, streamErrorFrame(call.operation, envelope, relay.nextSequenceNumber())];
}

const routes: ReadonlyMap<string | undefined, 'messages' | 'responses'> = new Map([
  ['/v1/messages', 'messages'],
  ['/v1/responses', 'responses'],
]);

describe('the SDKs over an upstream of another protocol', () => {
  let server: Server;
  let openai: OpenAI;
  let anthropic: Anthropic;

  beforeAll(async () => {
    server = createServer((incoming, reply) => {
      const chunks: Uint8Array[] = [];
      incoming.on('data', (chunk: Uint8Array) => chunks.push(chunk));
      incoming.on('end', () => {
        const operation = routes.get(incoming.url) ?? 'chat_completions';
        const call = parseCall(operation, Buffer.concat(chunks));
        reply.setHeader('content-type', call.stream ? 'text/event-stream' : 'application/json');
        for (const piece of answer(call)) reply.write(piece);
        reply.end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseURL = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const { OpenAI: OpenAIClient } = await import('openai');
    const { Anthropic: AnthropicClient } = await import('@anthropic-ai/sdk');
    openai = new OpenAIClient({ apiKey: 'k', baseURL: `${baseURL}/v1`, maxRetries: 0 });
    anthropic = new AnthropicClient({ apiKey: 'k', baseURL, maxRetries: 0 });
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const chat = { model: 'acme/small', messages: [{ role: 'user' as const, content: 'Hi' }] };
  const messages = { ...chat, max_tokens: 1024 };

  /** The upstream is sent the turn of `message-thinking-and-tools` as it was, and then the results of its tools. */
  const expectThinkingAndResults = (...results: readonly [string, string]): void => {
    expect(upstreamAsked.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'EqQB' },
          { type: 'redacted_thinking', data: 'Zm9v' },
          { type: 'text', text: 'Looking.' },
          { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Paris' } },
          { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: results[0] },
          { type: 'tool_result', tool_use_id: 'toolu_2', content: results[1] },
        ],
      },
    ]);
  };

  it('gives openai a stream with tool calls, and accepts thinking back with its signature', async () => {
    upstreamSays = goldenStream('message-thinking-and-tools');
    const stream = openai.chat.completions.stream({ ...chat, stream_options: { include_usage: true } });
    const completion = await stream.finalChatCompletion();
    const said = completion.choices[0]!.message;
    expect(completion).toMatchObject({
      choices: [{ finish_reason: 'tool_calls', message: { content: 'Looking.' } }],
      usage: { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 60 } },
      svc: { provider: 'acme' },
    });
    expect(said.tool_calls).toMatchObject([
      { id: 'toolu_1', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
      { id: 'toolu_2', function: { name: 'now', arguments: '{}' } },
    ]);

    await openai.chat.completions
      .stream({
        ...chat,
        messages: [
          ...chat.messages,
          said as OpenAI.ChatCompletionMessageParam,
          { role: 'tool', tool_call_id: 'toolu_1', content: '18 °C' },
          { role: 'tool', tool_call_id: 'toolu_2', content: 'noon' },
        ],
      })
      .finalChatCompletion();
    expectThinkingAndResults('18 °C', 'noon');
  });

  it('gives openai a plain answer, a refusal and a function call', async () => {
    upstreamSays = goldenAnswer('message-refusal');
    const refused = await openai.chat.completions.create(chat);
    expect(refused.choices[0]).toMatchObject({
      finish_reason: 'content_filter',
      message: { refusal: 'Not that.' },
    });
    upstreamSays = goldenStream('message-function-call');
    const called = await openai.chat.completions
      .stream({ ...chat, functions: [{ name: 'now' }] })
      .finalChatCompletion();
    expect(called.choices[0]).toMatchObject({
      finish_reason: 'function_call',
      message: { function_call: { name: 'now', arguments: '{"zone":"utc"}' } },
    });
  });

  it('gives anthropic a stream with tool calls, and returns reasoning to its original field', async () => {
    upstreamSays = goldenStream('chat-reasoning-and-tools');
    const message = await anthropic.messages.stream(messages).finalMessage();
    expect(message).toMatchObject({
      model: 'acme/small',
      stop_reason: 'tool_use',
      content: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Paris' } },
        { type: 'tool_use', id: 'call_2', name: 'now', input: {} },
      ],
      usage: { input_tokens: 30, cache_read_input_tokens: 60, output_tokens: 20 },
    });

    const results = ['call_1', 'call_2'].map((id) => ({ type: 'tool_result' as const, tool_use_id: id }));
    const turns = [
      ...messages.messages,
      { role: 'assistant' as const, content: message.content },
      { role: 'user' as const, content: results },
    ];
    await anthropic.messages.stream({ ...messages, messages: turns }).finalMessage();
    expect(upstreamAsked.messages.slice(1)).toMatchObject([
      {
        role: 'assistant',
        content: 'Looking.',
        reasoning_content: 'Hm.',
        tool_calls: [
          { id: 'call_1', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
          { id: 'call_2', function: { name: 'now', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '' },
      { role: 'tool', tool_call_id: 'call_2', content: '' },
    ]);
  });

  it('gives anthropic interleaved tool calls, a plain answer and a refusal', async () => {
    upstreamSays = goldenStream('chat-interleaved-tools');
    const interleaved = await anthropic.messages.stream(messages).finalMessage();
    expect(interleaved.content).toMatchObject([
      { name: 'a', input: { x: 1 } },
      { name: 'b', input: { y: 2 } },
    ]);
    upstreamSays = goldenAnswer('completion-reasoning-and-tools');
    expect(await anthropic.messages.create(messages)).toMatchObject({ stop_reason: 'tool_use' });
    upstreamSays = goldenStream('chat-refusal');
    expect(await anthropic.messages.stream(messages).finalMessage()).toMatchObject({
      stop_reason: 'refusal',
      stop_details: { explanation: 'I can’t.' },
    });
  });

  it('gives openai a response of a message, and accepts thinking back with its signature', async () => {
    spoken = 'messages';
    upstreamSays = goldenStream('message-thinking-and-tools');
    const asked = { model: 'acme/small', input: 'Hi' };
    const response = await openai.responses.stream(asked).finalResponse();
    expect(response).toMatchObject({ status: 'completed', output_text: 'Looking.', svc: additions.svc });
    const results = ['toolu_1', 'toolu_2'].map((id) => ({
      type: 'function_call_output' as const,
      call_id: id,
      output: '18 °C',
    }));
    const input = [{ role: 'user' as const, content: 'Hi' }, ...response.output, ...results];
    await openai.responses
      .stream({ ...asked, input: input as OpenAI.Responses.ResponseInput })
      .finalResponse();
    expectThinkingAndResults('18 °C', '18 °C');
  });

  it('gives openai a response of a chat completion, and returns reasoning to its original field', async () => {
    spoken = 'chat_completions';
    upstreamSays = goldenStream('chat-reasoning-and-tools');
    const asked = { model: 'acme/small', input: 'Hi' };
    const { output } = await openai.responses.stream(asked).finalResponse();
    const results = ['call_1', 'call_2'].map((id) => ({
      type: 'function_call_output' as const,
      call_id: id,
      output: '18 °C',
    }));
    const input = [{ role: 'user' as const, content: 'Hi' }, ...output, ...results];
    upstreamSays = goldenAnswer('completion-refusal');
    const refused = await openai.responses.create({
      ...asked,
      input: input as OpenAI.Responses.ResponseInput,
    });
    expect(refused.output).toMatchObject([{ content: [{ type: 'refusal' }] }]);
    expect(upstreamAsked.messages.slice(1)).toMatchObject([
      {
        role: 'assistant',
        content: 'Looking.',
        reasoning_content: 'Hm.',
        tool_calls: [
          { id: 'call_1', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
          { id: 'call_2', function: { name: 'now', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '18 °C' },
      { role: 'tool', tool_call_id: 'call_2', content: '18 °C' },
    ]);
  });

  it('makes all raise when the upstream was cut', async () => {
    upstreamSays = goldenStream('message-text').slice(0, -90);
    await expect(openai.chat.completions.stream(chat).finalChatCompletion()).rejects.toThrow(
      'closed its stream',
    );
    upstreamSays = goldenStream('chat-text').slice(0, 400);
    await expect(openai.responses.stream({ model: 'a/b', input: 'Hi' }).finalResponse()).rejects.toThrow(
      'closed its stream',
    );
    await expect(anthropic.messages.stream(messages).finalMessage()).rejects.toThrow('closed its stream');
  });
});
