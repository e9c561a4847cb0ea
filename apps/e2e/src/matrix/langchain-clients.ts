import { ChatAnthropic } from '@langchain/anthropic';
import {
  AIMessage,
  HumanMessage,
  ToolMessage,
  type BaseMessage,
  type UsageMetadata,
} from '@langchain/core/messages';
import { ChatOpenAI, type ChatOpenAIFields } from '@langchain/openai';
import {
  maxOutputTokens,
  TurnClient,
  type Answer,
  type ClientSettings,
  type ClientUnderTest,
  type Failure,
  type Question,
} from './matrix-client';
import { citySchema, weatherTool } from './scenes';

type LangChainModel = ChatOpenAI | ChatAnthropic;

const lacks = { models: 'it lists no models', countTokens: 'it counts by itself, or not at all' };

const openAiModelsOf =
  ({ baseUrl, apiKey }: ClientSettings, fields: Partial<ChatOpenAIFields>) =>
  ({ model, headers = {} }: Question) =>
    new ChatOpenAI({
      model,
      apiKey,
      maxTokens: maxOutputTokens,
      configuration: { baseURL: `${baseUrl}/v1`, defaultHeaders: { ...headers } },
      ...fields,
    });

export const langChainOpenAi: ClientUnderTest<TurnClient> = {
  name: 'LangChain OpenAI',
  language: 'Node.js',
  package: '@langchain/openai',
  route: '/v1/chat/completions',
  fails: [
    {
      feature: 'usageStreamed',
      upstream: 'mocktopus',
      protocol: 'openai',
      reason: 'it loses the usage of a stream without a role, as those of mocktopus are',
    },
  ],
  lacks,
  connect: (settings) => new LangChainMatrixClient(openAiModelsOf(settings, {})),
};

export const langChainOpenAiResponses: ClientUnderTest<TurnClient> = {
  name: 'LangChain OpenAI responses',
  language: 'Node.js',
  package: '@langchain/openai',
  route: '/v1/responses',
  lacks: { ...lacks, schemaStreamed: 'its parser of JSON takes no text that is a list of parts' },
  connect: (settings) => new LangChainMatrixClient(openAiModelsOf(settings, { useResponsesApi: true })),
};

export const langChainAnthropic: ClientUnderTest<TurnClient> = {
  name: 'LangChain Anthropic',
  language: 'Node.js',
  package: '@langchain/anthropic',
  route: '/v1/messages',
  fails: [
    {
      feature: 'usageStreamed',
      protocol: 'openai',
      reason:
        'it reads the tokens of the prompt at the start of a stream, where a translated one has none yet',
    },
  ],
  lacks,
  connect: ({ baseUrl, apiKey }) =>
    new LangChainMatrixClient(
      ({ model, headers = {} }) =>
        new ChatAnthropic({
          model,
          apiKey,
          maxTokens: maxOutputTokens,
          anthropicApiUrl: baseUrl,
          clientOptions: { defaultHeaders: { ...headers } },
        }),
    ),
};

class LangChainMatrixClient extends TurnClient {
  constructor(private readonly modelFor: (question: Question) => LangChainModel) {
    super();
  }

  async ask(question: Question): Promise<Answer> {
    return answerOf(await this.runnable(question).invoke(messagesOf(question), optionsOf(question)));
  }

  async stream(question: Question, onPiece?: (text: string) => void): Promise<Answer> {
    const chunks = await this.runnable(question).stream(messagesOf(question), optionsOf(question));
    let whole: AIMessage | undefined;
    for await (const chunk of chunks) {
      whole = whole === undefined ? chunk : (whole as typeof chunk).concat(chunk);
      if (chunk.text !== '') onPiece?.(chunk.text);
    }
    if (whole === undefined) throw new Error('The stream was empty.');
    return answerOf(whole);
  }

  failureOf(thrown: unknown): Failure {
    const { status, message, code, requestID, error } = thrown as Failure & {
      requestID?: string;
      error?: { error?: { code?: string; request_id?: string } };
    };
    if (typeof status !== 'number') throw thrown;
    const told = error?.error;
    return { status, message, code: code ?? told?.code, requestId: requestID ?? told?.request_id };
  }

  /** The model with what the question offers it. Its own way to a schema hands out an object in place of a message. */
  private runnable(question: Question) {
    const model = this.modelFor(question);
    const { name, description, schema } = weatherTool;
    if (question.offersTool) {
      const tools = [{ type: 'function', function: { name, description, parameters: schema } }];
      return (model as ChatOpenAI).bindTools(tools);
    }
    if (!question.wantsCity) return model as ChatOpenAI;
    const structured = (model as ChatOpenAI).withStructuredOutput(citySchema, {
      name: 'city',
      method: 'jsonSchema',
    });
    return structured.pipe((city: object) => new AIMessage(JSON.stringify(city))) as unknown as ChatOpenAI;
  }
}

const optionsOf = ({ signal }: Question) => (signal ? { signal } : {});

function messagesOf({ prompt, picture, toolRound = [] }: Question): BaseMessage[] {
  const url = picture && `data:image/png;base64,${picture.toString('base64')}`;
  const asked = new HumanMessage({
    content: [
      ...(url === undefined ? [] : [{ type: 'image_url' as const, image_url: { url } }]),
      { type: 'text' as const, text: prompt },
    ],
  });
  if (toolRound.length === 0) return [asked];
  const calls = toolRound.map(({ call: { id, name, input } }) => ({
    id,
    name,
    args: input as Record<string, unknown>,
  }));
  return [
    asked,
    new AIMessage({ content: '', tool_calls: calls }),
    ...toolRound.map(({ call, result }) => new ToolMessage({ content: result, tool_call_id: call.id })),
  ];
}

const endings: Partial<Record<string, Answer['ending']>> = {
  stop: 'stop',
  end_turn: 'stop',
  tool_calls: 'tool_calls',
  tool_use: 'tool_calls',
};

function answerOf(message: AIMessage): Answer {
  const {
    finish_reason: ending,
    stop_reason: reason,
    status,
  } = { ...message.additional_kwargs, ...message.response_metadata } as Record<string, unknown>;
  const calls = message.tool_calls ?? [];
  // Of a response it tells the status only.
  const endingOfResponse = status === 'completed' ? (calls.length > 0 ? 'tool_calls' : 'stop') : undefined;
  const usage = message.usage_metadata as UsageMetadata | undefined;
  return {
    text: message.text,
    ending: endings[String(ending ?? reason)] ?? endingOfResponse ?? 'other',
    toolCalls: calls.map(({ id = '', name, args }) => ({ id, name, input: args })),
    inputTokens: usage?.input_tokens ?? 0,
    outputTokens: usage?.output_tokens ?? 0,
  };
}
