import { type ChatCompletion, type ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { type ChatCompletionStreamParams } from 'openai/lib/ChatCompletionStream';
import {
  inputOf,
  maxOutputTokens,
  type Answer,
  type ClientUnderTest,
  type Question,
  type TurnClient,
} from './matrix-client';
import { openAi6Of, openAi7Of, OpenAiSdkClient, optionsOf } from './openai-sdk';
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
  connect: (settings) => new OpenAiChatClient(openAi7Of(settings)),
};

export const openAi6: ClientUnderTest<TurnClient> = {
  name: 'OpenAI 6',
  language: 'Node.js',
  package: 'openai-6',
  lacks,
  fails,
  route: '/v1/chat/completions',
  connect: (settings) => new OpenAiChatClient(openAi6Of(settings)),
};

class OpenAiChatClient extends OpenAiSdkClient {
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
