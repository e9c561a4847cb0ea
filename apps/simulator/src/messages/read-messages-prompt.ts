import {
  type BodyFields,
  isFields,
  missing,
  optionalCount,
  optionalFlag,
  optionalObjects,
  optionalTexts,
  requiredText,
  wrongType,
} from '../body/body-fields';
import { contentText } from '../prompt/content-text';
import { Conversation } from '../prompt/conversation';
import { type Prompt, type Tool, type ToolChoice } from '../prompt/prompt';
import { forcedTool } from '../prompt/tool-choice';

/** A messages request body as a prompt. @throws Refusal 400. */
export function readMessagesPrompt(body: BodyFields): Prompt {
  const counted = readCountedPrompt(body);
  const outputTokenLimit = optionalCount(body, 'max_tokens');
  if (outputTokenLimit === undefined) throw missing('max_tokens');
  return { ...counted, outputTokenLimit };
}

/** The same for token counting, which needs no `max_tokens`. @throws Refusal 400. */
export function readCountedPrompt(body: BodyFields): Prompt {
  const tools = readTools(body);
  return {
    model: requiredText(body, 'model'),
    stream: optionalFlag(body, 'stream'),
    usageInStream: true,
    ...readMessages(body).summary(),
    tools,
    toolChoice: readToolChoice(body.tool_choice, tools),
    stopSequences: optionalTexts(body, 'stop_sequences'),
    outputTokenLimit: Infinity,
    choiceCount: 1,
    answerSchema: readAnswerSchema(body.output_config),
    thinks: isFields(body.thinking) && body.thinking.type === 'enabled',
  };
}

function readMessages(body: BodyFields): Conversation {
  const messages = optionalObjects(body, 'messages');
  if (messages.length === 0) throw missing('messages');
  const conversation = new Conversation();
  conversation.add('system', contentText(body.system, 'system'));
  messages.forEach(({ role, content }, at) => {
    const param = `messages[${String(at)}]`;
    if (role !== 'user' && role !== 'assistant' && role !== 'system') {
      throw wrongType(`${param}.role`, `'user', 'assistant' or 'system'`);
    }
    const toolResults = role === 'user' ? addToolResults(conversation, content, param) : 0;
    const isOnlyResults = Array.isArray(content) && toolResults > 0 && toolResults === content.length;
    if (!isOnlyResults) conversation.add(role, contentText(content, `${param}.content`));
  });
  return conversation;
}

/** Tool results are blocks of a user's message, before the user's text. */
function addToolResults(conversation: Conversation, content: unknown, param: string): number {
  if (!Array.isArray(content)) return 0;
  const results = content.filter(
    (block: unknown) => isFields(block) && block.type === 'tool_result',
  ) as BodyFields[];
  for (const result of results) conversation.add('tool', contentText(result.content, `${param}.content`));
  return results.length;
}

/** Tools that the provider itself defines have no schema. */
function readTools(body: BodyFields): readonly Tool[] {
  return optionalObjects(body, 'tools').map(({ name, input_schema: schema }, at) => {
    if (typeof name !== 'string' || name === '') throw missing(`tools[${String(at)}].name`);
    return { name, schema };
  });
}

function readToolChoice(choice: unknown, tools: readonly Tool[]): ToolChoice {
  if (!isFields(choice)) return { kind: 'auto' };
  if (choice.type === 'none') return { kind: 'none' };
  if (choice.type === 'any') return forcedTool(tools, undefined);
  return choice.type === 'tool' ? forcedTool(tools, String(choice.name)) : { kind: 'auto' };
}

function readAnswerSchema(outputConfig: unknown): unknown {
  if (!isFields(outputConfig) || !isFields(outputConfig.format)) return undefined;
  return outputConfig.format.type === 'json_schema' ? (outputConfig.format.schema ?? {}) : undefined;
}
