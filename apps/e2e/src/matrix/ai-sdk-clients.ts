import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  generateText,
  jsonSchema,
  Output,
  RetryError,
  streamText,
  type LanguageModel,
  type ModelMessage,
  type ToolSet,
} from 'ai';
import {
  maxOutputTokens,
  TurnClient,
  type Answer,
  type ClientUnderTest,
  type Question,
} from './matrix-client';
import { aiSdkOpenAiProvider } from './packages-apart';
import { citySchema, weatherTool } from './scenes';

const lacks = { models: 'it lists no models', countTokens: 'it counts by itself, or not at all' };

export const aiSdkCompatible: ClientUnderTest<TurnClient> = {
  name: 'AI SDK OpenAI-compatible',
  language: 'Node.js',
  package: '@ai-sdk/openai-compatible',
  lacks,
  route: '/v1/chat/completions',
  connect: ({ baseUrl, ...settings }) =>
    new AiSdkMatrixClient(
      createOpenAICompatible({
        ...settings,
        name: 'svc',
        baseURL: `${baseUrl}/v1`,
        includeUsage: true,
        supportsStructuredOutputs: true,
      }),
    ),
};

export const aiSdkAnthropic: ClientUnderTest<TurnClient> = {
  name: 'AI SDK Anthropic',
  language: 'Node.js',
  package: '@ai-sdk/anthropic',
  lacks,
  route: '/v1/messages',
  connect: ({ baseUrl, ...settings }) =>
    new AiSdkMatrixClient(createAnthropic({ ...settings, baseURL: `${baseUrl}/v1` })),
};

/** Its default model. */
export const aiSdkOpenAi: ClientUnderTest<TurnClient> = {
  name: 'AI SDK OpenAI',
  language: 'Node.js',
  package: '@ai-sdk/openai',
  isApart: true,
  lacks,
  route: '/v1/responses',
  connect: ({ baseUrl, ...settings }) =>
    new AiSdkMatrixClient(aiSdkOpenAiProvider({ ...settings, baseURL: `${baseUrl}/v1` })),
};

class AiSdkMatrixClient extends TurnClient {
  constructor(private readonly modelOf: (id: string) => LanguageModel) {
    super();
  }

  async ask(question: Question): Promise<Answer> {
    return answerOf(await generateText(this.settingsOf(question)));
  }

  async stream(question: Question, onPiece?: (text: string) => void): Promise<Answer> {
    // Errors are parts of the stream; without a handler they are printed too.
    const result = streamText({ ...this.settingsOf(question), onError: () => undefined });
    for await (const part of result.fullStream) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'abort') throw new Error('aborted');
      if (part.type === 'text-delta') onPiece?.(part.text);
    }
    const [text, finishReason, toolCalls, usage] = await Promise.all([
      result.text,
      result.finishReason,
      result.toolCalls,
      result.usage,
    ]);
    return answerOf({ text, finishReason, toolCalls, usage });
  }

  failureOf(thrown: unknown) {
    const error = RetryError.isInstance(thrown) ? thrown.lastError : thrown;
    if (!APICallError.isInstance(error)) throw thrown;
    const body = JSON.parse(error.responseBody ?? '{}') as { error?: { code?: string } };
    const { statusCode: status, message, responseHeaders } = error;
    return { status, message, code: body.error?.code, requestId: responseHeaders?.['x-request-id'] };
  }

  private settingsOf({ model, signal, headers, ...question }: Question) {
    const { name, description, schema } = weatherTool;
    return {
      model: this.modelOf(model),
      maxOutputTokens,
      messages: messagesOf(question),
      ...(signal && { abortSignal: signal }),
      ...(headers && { headers: { ...headers } }),
      ...(question.offersTool && {
        tools: { [name]: { description, inputSchema: jsonSchema(schema) } } as ToolSet,
        toolChoice: 'auto' as const,
      }),
      ...(question.wantsCity && { output: Output.object({ schema: jsonSchema(citySchema) }) }),
    };
  }
}

function messagesOf({ prompt, picture, toolRound = [] }: Omit<Question, 'model'>): ModelMessage[] {
  const asked: ModelMessage = {
    role: 'user',
    content: [
      ...(picture ? [{ type: 'image' as const, image: picture, mediaType: 'image/png' }] : []),
      { type: 'text' as const, text: prompt },
    ],
  };
  if (toolRound.length === 0) return [asked];
  return [
    asked,
    {
      role: 'assistant',
      content: toolRound.map(({ call: { id, name, input } }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input,
      })),
    },
    {
      role: 'tool',
      content: toolRound.map(({ call, result }) => ({
        type: 'tool-result' as const,
        toolCallId: call.id,
        toolName: call.name,
        output: { type: 'text' as const, value: result },
      })),
    },
  ];
}

interface AiSdkAnswer {
  readonly text: string;
  readonly finishReason: string;
  readonly toolCalls: readonly {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly input: unknown;
  }[];
  readonly usage: { readonly inputTokens: number | undefined; readonly outputTokens: number | undefined };
}

const endings: Partial<Record<string, Answer['ending']>> = { stop: 'stop', 'tool-calls': 'tool_calls' };

const answerOf = ({ text, finishReason, toolCalls, usage }: AiSdkAnswer): Answer => ({
  text,
  ending: endings[finishReason] ?? 'other',
  toolCalls: toolCalls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, input })),
  inputTokens: usage.inputTokens ?? 0,
  outputTokens: usage.outputTokens ?? 0,
});
