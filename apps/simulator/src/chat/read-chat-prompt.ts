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
import { Conversation, type Speaker } from '../prompt/conversation';
import { contentText } from '../prompt/content-text';
import { type Prompt, type Tool, type ToolChoice } from '../prompt/prompt';
import { forcedTool } from '../prompt/tool-choice';
import { Refusal } from '../refusal';

const SPEAKERS: ReadonlyMap<unknown, Speaker> = new Map<unknown, Speaker>([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);
const MAX_CHOICES = 128;

/** A chat-completions request body as a prompt. @throws Refusal 400. */
export function readChatPrompt(body: BodyFields): Prompt {
  const model = requiredText(body, 'model');
  const tools = readTools(body);
  const stream = optionalFlag(body, 'stream');
  return {
    model,
    stream,
    usageInStream: stream && isFields(body.stream_options) && body.stream_options.include_usage === true,
    ...readMessages(body).summary(),
    tools,
    toolChoice: readToolChoice(body.tool_choice, tools),
    stopSequences: optionalTexts(body, 'stop'),
    outputTokenLimit:
      optionalCount(body, 'max_completion_tokens') ?? optionalCount(body, 'max_tokens') ?? Infinity,
    choiceCount: readChoiceCount(body),
    answerSchema: readAnswerSchema(body.response_format),
    thinks: false,
  };
}

function readMessages(body: BodyFields): Conversation {
  const messages = optionalObjects(body, 'messages');
  if (messages.length === 0) throw missing('messages');
  const conversation = new Conversation();
  messages.forEach(({ role, content }, at) => {
    const speaker = SPEAKERS.get(role);
    if (speaker === undefined) throw wrongType(`messages[${String(at)}].role`, 'a role of chat completions');
    conversation.add(speaker, contentText(content, `messages[${String(at)}].content`));
  });
  return conversation;
}

/** Only function tools are simulated: custom tools have no schema for arguments. */
function readTools(body: BodyFields): readonly Tool[] {
  return optionalObjects(body, 'tools').flatMap((tool, at) => {
    if (tool.type === 'custom') return [];
    if (!isFields(tool.function)) throw missing(`tools[${String(at)}].function`);
    const { name, parameters } = tool.function;
    if (typeof name !== 'string' || name === '') throw missing(`tools[${String(at)}].function.name`);
    return [{ name, schema: parameters }];
  });
}

function readToolChoice(choice: unknown, tools: readonly Tool[]): ToolChoice {
  if (choice === 'none') return { kind: 'none' };
  if (choice === 'required') return forcedTool(tools, undefined);
  if (!isFields(choice)) return { kind: 'auto' };
  if (choice.type === 'function') return forcedTool(tools, nameOfFunction(choice));
  if (choice.type !== 'allowed_tools' || !isFields(choice.allowed_tools)) return { kind: 'auto' };
  const allowed = optionalObjects(choice.allowed_tools, 'tools').map(nameOfFunction);
  return choice.allowed_tools.mode === 'required' ? forcedTool(tools, allowed[0]) : { kind: 'auto' };
}

function nameOfFunction(choice: BodyFields): string {
  return isFields(choice.function) ? String(choice.function.name) : '';
}

function readChoiceCount(body: BodyFields): number {
  const choiceCount = optionalCount(body, 'n') ?? 1;
  if (choiceCount > MAX_CHOICES) throw wrongType('n', `an integer up to ${String(MAX_CHOICES)}`);
  return choiceCount;
}

function readAnswerSchema(format: unknown): unknown {
  if (!isFields(format) || format.type === 'text') return undefined;
  if (format.type === 'json_object')
    return { const: { answer: 'This is the Svc simulator, not a language model.' } };
  if (format.type === 'json_schema' && isFields(format.json_schema)) return format.json_schema.schema ?? {};
  throw new Refusal(400, `Invalid value for 'response_format'.`, { param: 'response_format' });
}
