import {
  type Response,
  type ResponseCreateParamsNonStreaming,
  type ResponseInput,
} from 'openai/resources/responses/responses';
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

export const openAi7Responses: ClientUnderTest<TurnClient> = {
  name: 'OpenAI 7 responses',
  language: 'Node.js',
  package: 'openai',
  lacks,
  route: '/v1/responses',
  connect: (settings) => new OpenAiResponsesClient(openAi7Of(settings)),
};

export const openAi6Responses: ClientUnderTest<TurnClient> = {
  name: 'OpenAI 6 responses',
  language: 'Node.js',
  package: 'openai-6',
  lacks,
  route: '/v1/responses',
  connect: (settings) => new OpenAiResponsesClient(openAi6Of(settings)),
};

class OpenAiResponsesClient extends OpenAiSdkClient {
  async ask(question: Question): Promise<Answer> {
    return answerOf(await this.client.responses.create(paramsOf(question), optionsOf(question)));
  }

  async stream(question: Question, onPiece?: (text: string) => void): Promise<Answer> {
    const { stream: _plain, ...params } = paramsOf(question);
    const stream = this.client.responses.stream(params, optionsOf(question));
    if (onPiece)
      stream.on('response.output_text.delta', ({ delta }) => {
        onPiece(delta);
      });
    return answerOf(await stream.finalResponse());
  }
}

function paramsOf(question: Question): ResponseCreateParamsNonStreaming {
  const { name, description, schema } = weatherTool;
  return {
    model: question.model,
    max_output_tokens: maxOutputTokens,
    input: inputItemsOf(question),
    ...(question.offersTool && {
      tools: [{ type: 'function', name, description, parameters: schema, strict: true }],
      tool_choice: 'auto',
    }),
    ...(question.wantsCity && {
      text: { format: { type: 'json_schema', name: 'city', strict: true, schema: citySchema } },
    }),
  };
}

function inputItemsOf({ prompt, picture, toolRound = [] }: Question): string | ResponseInput {
  const image = picture && `data:image/png;base64,${picture.toString('base64')}`;
  if (image === undefined && toolRound.length === 0) return prompt;
  return [
    {
      role: 'user',
      content: [
        ...(image ? [{ type: 'input_image' as const, image_url: image, detail: 'auto' as const }] : []),
        { type: 'input_text', text: prompt },
      ],
    },
    ...toolRound.map(({ call: { id, name, input } }) => ({
      type: 'function_call' as const,
      call_id: id,
      name,
      arguments: JSON.stringify(input),
    })),
    ...toolRound.map(({ call, result }) => ({
      type: 'function_call_output' as const,
      call_id: call.id,
      output: result,
    })),
  ];
}

function answerOf({ output_text: text, status, output, usage }: Response): Answer {
  const toolCalls = output.flatMap((item) =>
    item.type === 'function_call'
      ? [{ id: item.call_id, name: item.name, input: inputOf(item.arguments) }]
      : [],
  );
  const ending = toolCalls.length > 0 ? 'tool_calls' : 'stop';
  return {
    text,
    ending: status === 'completed' ? ending : 'other',
    toolCalls,
    inputTokens: usage?.input_tokens ?? 0,
    outputTokens: usage?.output_tokens ?? 0,
  };
}
