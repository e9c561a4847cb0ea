import Anthropic from '@anthropic-ai/sdk';
import Anthropic0 from 'anthropic-sdk-0';
import {
  maxOutputTokens,
  TurnClient,
  type Answer,
  type ClientUnderTest,
  type Question,
} from './matrix-client';
import { citySchema, weatherTool } from './scenes';

/** Sends `Authorization: Bearer` and a new `anthropic-version`. */
export const anthropic1: ClientUnderTest<TurnClient> = {
  name: 'Anthropic 1',
  language: 'Node.js',
  package: '@anthropic-ai/sdk',
  route: '/v1/messages',
  connect: ({ baseUrl, ...settings }) =>
    new AnthropicMatrixClient(new Anthropic({ ...settings, baseURL: baseUrl }), Anthropic.APIError),
};

/** Sends `X-Api-Key`. */
export const anthropic0: ClientUnderTest<TurnClient> = {
  name: 'Anthropic 0',
  language: 'Node.js',
  package: 'anthropic-sdk-0',
  route: '/v1/messages',
  connect: ({ baseUrl, ...settings }) =>
    new AnthropicMatrixClient(
      // The parts used here are the same in both; private fields make the two types incompatible.
      new Anthropic0({ ...settings, baseURL: baseUrl }) as unknown as Anthropic,
      Anthropic0.APIError as unknown as typeof Anthropic.APIError,
    ),
};

class AnthropicMatrixClient extends TurnClient {
  constructor(
    private readonly client: Anthropic,
    private readonly errorClass: typeof Anthropic.APIError,
  ) {
    super();
  }

  async ask(question: Question): Promise<Answer> {
    return answerOf(await this.client.messages.create(paramsOf(question), optionsOf(question)));
  }

  async stream(question: Question, onPiece?: (text: string) => void): Promise<Answer> {
    const stream = this.client.messages.stream(paramsOf(question), optionsOf(question));
    if (onPiece) stream.on('text', onPiece);
    return answerOf(await stream.finalMessage());
  }

  async models(): Promise<readonly string[]> {
    return (await this.client.models.list()).data.map(({ id }) => id);
  }

  async countTokens(question: Question): Promise<number> {
    const { max_tokens: _limit, ...counted } = paramsOf(question);
    return (await this.client.messages.countTokens(counted as Anthropic.MessageCountTokensParams))
      .input_tokens;
  }

  failureOf(thrown: unknown) {
    if (!(thrown instanceof this.errorClass)) throw thrown;
    const body = thrown.error as { error?: { code?: string; request_id?: string } } | undefined;
    const { status, message, requestID } = thrown;
    return { status, message, code: body?.error?.code, requestId: requestID ?? body?.error?.request_id };
  }
}

function paramsOf(question: Question): Anthropic.MessageCreateParamsNonStreaming {
  const { name, description, schema } = weatherTool;
  return {
    model: question.model,
    max_tokens: maxOutputTokens,
    messages: messagesOf(question),
    ...(question.offersTool && {
      tools: [{ name, description, input_schema: schema }],
      tool_choice: { type: 'auto' as const },
    }),
    ...(question.wantsCity && {
      output_config: { format: { type: 'json_schema' as const, schema: citySchema } },
    }),
  };
}

function messagesOf({ prompt, picture, toolRound = [] }: Question): Anthropic.MessageParam[] {
  const data = picture?.toString('base64');
  const content: Anthropic.ContentBlockParam[] = [
    ...(data === undefined
      ? []
      : [
          {
            type: 'image' as const,
            source: { type: 'base64' as const, media_type: 'image/png' as const, data },
          },
        ]),
    { type: 'text', text: prompt },
  ];
  if (toolRound.length === 0) return [{ role: 'user', content }];
  return [
    { role: 'user', content },
    {
      role: 'assistant',
      content: toolRound.map(({ call: { id, name, input } }) => ({
        type: 'tool_use' as const,
        id,
        name,
        input,
      })),
    },
    {
      role: 'user',
      content: toolRound.map(({ call, result }) => ({
        type: 'tool_result' as const,
        tool_use_id: call.id,
        content: result,
      })),
    },
  ];
}

const optionsOf = ({ signal, headers }: Question) => ({
  ...(signal && { signal }),
  ...(headers && { headers }),
});

const endings: Partial<Record<string, Answer['ending']>> = { end_turn: 'stop', tool_use: 'tool_calls' };

const answerOf = ({ content, stop_reason, usage }: Anthropic.Message): Answer => ({
  text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
  ending: endings[stop_reason ?? ''] ?? 'other',
  toolCalls: content.flatMap((block) =>
    block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
  ),
  inputTokens: usage.input_tokens ?? 0,
  outputTokens: usage.output_tokens,
});
