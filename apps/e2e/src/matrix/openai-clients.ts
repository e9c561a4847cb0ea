import OpenAI from 'openai';
import { type ChatCompletion, type ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { type ChatCompletionStreamParams } from 'openai/lib/ChatCompletionStream';
import OpenAI6 from 'openai-6';
import {
  inputOf,
  maxOutputTokens,
  TurnClient,
  type Answer,
  type ClientUnderTest,
  type Question,
} from './matrix-client';
import { citySchema, weatherTool } from './scenes';

const lacks = { countTokens: 'OpenAI has no route that counts' };
const fails = (['stream', 'usageStreamed'] as const).map((feature) => ({
  feature,
  upstream: 'mocktopus',
  protocol: 'openai' as const,
  reason: 'its helper for streams wants a role, which those of mocktopus do not have',
}));

export const openAi7: ClientUnderTest<TurnClient> = {
  name: 'OpenAI 7',
  language: 'Node.js',
  package: 'openai',
  lacks,
  fails,
  route: '/v1/chat/completions',
  connect: (settings) =>
    new OpenAiMatrixClient(new OpenAI({ ...settings, baseURL: `${settings.baseUrl}/v1` }), OpenAI.APIError),
};

export const openAi6: ClientUnderTest<TurnClient> = {
  name: 'OpenAI 6',
  language: 'Node.js',
  package: 'openai-6',
  lacks,
  fails,
  route: '/v1/chat/completions',
  connect: (settings) =>
    new OpenAiMatrixClient(
      // The parts used here are the same in both; private fields make the two types incompatible.
      new OpenAI6({ ...settings, baseURL: `${settings.baseUrl}/v1` }) as unknown as OpenAI,
      OpenAI6.APIError as unknown as typeof OpenAI.APIError,
    ),
};

class OpenAiMatrixClient extends TurnClient {
  constructor(
    private readonly client: OpenAI,
    private readonly errorClass: typeof OpenAI.APIError,
  ) {
    super();
  }

  async ask(question: Question): Promise<Answer> {
    return answerOf(await this.client.chat.completions.create(paramsOf(question), optionsOf(question)));
  }

  async stream(question: Question, onPiece?: (text: string) => void): Promise<Answer> {
    const params: ChatCompletionStreamParams = {
      ...paramsOf(question),
      stream_options: { include_usage: true },
    };
    const stream = this.client.chat.completions.stream(params, optionsOf(question));
    if (onPiece) stream.on('content', onPiece);
    return answerOf(await stream.finalChatCompletion());
  }

  async models(): Promise<readonly string[]> {
    return (await this.client.models.list()).data.map(({ id }) => id);
  }

  failureOf(thrown: unknown) {
    if (!(thrown instanceof this.errorClass)) throw thrown;
    const { status, message, code, requestID } = thrown;
    return { status, message, code, requestId: requestID };
  }
}

function paramsOf(question: Question) {
  const { name, description, schema } = weatherTool;
  return {
    model: question.model,
    max_completion_tokens: maxOutputTokens,
    messages: messagesOf(question),
    ...(question.offersTool && {
      tools: [{ type: 'function' as const, function: { name, description, parameters: schema } }],
      tool_choice: 'auto' as const,
    }),
    ...(question.wantsCity && {
      response_format: {
        type: 'json_schema' as const,
        json_schema: { name: 'city', strict: true, schema: citySchema },
      },
    }),
  };
}

function messagesOf({ prompt, picture, toolRound = [] }: Question): ChatCompletionMessageParam[] {
  const url = picture && `data:image/png;base64,${picture.toString('base64')}`;
  const content = url
    ? [
        { type: 'image_url' as const, image_url: { url } },
        { type: 'text' as const, text: prompt },
      ]
    : prompt;
  if (toolRound.length === 0) return [{ role: 'user', content }];
  return [
    { role: 'user', content },
    {
      role: 'assistant',
      content: null,
      tool_calls: toolRound.map(({ call: { id, name, input } }) => ({
        id,
        type: 'function' as const,
        function: { name, arguments: JSON.stringify(input) },
      })),
    },
    ...toolRound.map(({ call, result }) => ({
      role: 'tool' as const,
      tool_call_id: call.id,
      content: result,
    })),
  ];
}

const optionsOf = ({ signal, headers }: Question) => ({
  ...(signal && { signal }),
  ...(headers && { headers }),
});

function answerOf({ choices: [choice], usage }: ChatCompletion): Answer {
  const ending = choice?.finish_reason;
  return {
    text: choice?.message.content ?? '',
    ending: ending === 'stop' || ending === 'tool_calls' ? ending : 'other',
    toolCalls: (choice?.message.tool_calls ?? []).flatMap((call) =>
      call.type === 'function'
        ? [{ id: call.id, name: call.function.name, input: inputOf(call.function.arguments) }]
        : [],
    ),
    inputTokens: usage?.prompt_tokens ?? 0,
    outputTokens: usage?.completion_tokens ?? 0,
  };
}
