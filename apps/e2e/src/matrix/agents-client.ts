import { Agent, run, setTracingDisabled, tool, type AgentInputItem } from '@openai/agents-core';
import { OpenAIChatCompletionsModel, OpenAIResponsesModel } from '@openai/agents-openai';
import OpenAI from 'openai';
import {
  inputOf,
  maxOutputTokens,
  type ClientSettings,
  type ClientUnderTest,
  type MatrixClient,
  type Question,
  type Reply,
  type ToolUse,
  type Way,
} from './matrix-client';
import { citySchema, weatherIn, weatherTool } from './scenes';

const about = {
  language: 'Node.js',
  package: '@openai/agents-openai',
  lacks: { models: 'it lists no models', countTokens: 'it counts by itself, or not at all' },
} as const;

export const openAiAgents: ClientUnderTest = {
  ...about,
  name: 'OpenAI Agents SDK',
  route: '/v1/chat/completions',
  connect: (settings) => new AgentsMatrixClient(OpenAIChatCompletionsModel, settings),
};

/** With its default model. */
export const openAiAgentsResponses: ClientUnderTest = {
  ...about,
  name: 'OpenAI Agents SDK responses',
  route: '/v1/responses',
  connect: (settings) => new AgentsMatrixClient(OpenAIResponsesModel, settings),
};

class AgentsMatrixClient implements MatrixClient {
  constructor(
    private readonly modelClass: typeof OpenAIChatCompletionsModel | typeof OpenAIResponsesModel,
    private readonly settings: ClientSettings,
  ) {
    // Its traces go to OpenAI, whatever the base URL is.
    setTracingDisabled(true);
  }

  async ask(question: Question): Promise<Reply> {
    const options = question.signal ? { signal: question.signal } : {};
    const { finalOutput, state } = await run(this.agent(question), inputOfPrompt(question), options);
    return replyOf(finalOutput, state.usage);
  }

  async stream(question: Question, onPiece?: (text: string) => void): Promise<Reply> {
    const options = question.signal ? { signal: question.signal } : {};
    const result = await run(this.agent(question), inputOfPrompt(question), { ...options, stream: true });
    for await (const piece of result.toTextStream()) onPiece?.(piece);
    await result.completed;
    if (question.signal?.aborted === true) throw new Error('aborted');
    return replyOf(result.finalOutput, result.state.usage);
  }

  async useTool(question: Question, way: Way): Promise<ToolUse> {
    const inputs: unknown[] = [];
    const { text } = await this[way]({
      ...question,
      offersTool: true,
      onToolInput: (input) => inputs.push(input),
    } as AgentQuestion);
    return { inputs, text };
  }

  failureOf(thrown: unknown) {
    if (!(thrown instanceof OpenAI.APIError)) throw thrown;
    const { status, message, code, requestID } = thrown;
    return { status: status as number | undefined, message, code, requestId: requestID };
  }

  private agent({ model, headers = {}, offersTool, wantsCity, onToolInput }: AgentQuestion) {
    const { baseUrl, apiKey } = this.settings;
    const client = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey, defaultHeaders: { ...headers } });
    const { name, description, schema } = weatherTool;
    const weather = tool({
      name,
      description,
      parameters: { ...schema, additionalProperties: false as const },
      strict: true,
      execute: (input) => {
        const read = typeof input === 'string' ? inputOf(input) : input;
        onToolInput?.(read);
        return weatherIn(read);
      },
    });
    return new Agent({
      name: 'Assistant',
      model: new this.modelClass(client as never, model),
      modelSettings: { maxTokens: maxOutputTokens },
      tools: offersTool ? [weather] : [],
      outputType: wantsCity
        ? {
            type: 'json_schema',
            name: 'city',
            strict: true,
            schema: { ...citySchema, additionalProperties: false },
          }
        : 'text',
    });
  }
}

interface AgentQuestion extends Question {
  readonly onToolInput?: (input: unknown) => void;
}

function inputOfPrompt({ prompt, picture }: Question): string | AgentInputItem[] {
  if (picture === undefined) return prompt;
  const image = `data:image/png;base64,${picture.toString('base64')}`;
  return [
    {
      role: 'user',
      content: [
        { type: 'input_image', image },
        { type: 'input_text', text: prompt },
      ],
    },
  ];
}

const replyOf = (output: unknown, usage: { inputTokens: number; outputTokens: number }): Reply => ({
  text: typeof output === 'string' ? output : JSON.stringify(output),
  inputTokens: usage.inputTokens,
  outputTokens: usage.outputTokens,
});
