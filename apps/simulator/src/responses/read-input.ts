import { type BodyFields, isFields, missing, optionalObjects, wrongType } from '../body/body-fields';
import { contentText } from '../prompt/content-text';
import { Conversation, type Speaker } from '../prompt/conversation';
import { Refusal } from '../refusal';
import { requireKnownReasoning, unknownItem } from './reasoning';

const SPEAKERS: ReadonlyMap<unknown, Speaker> = new Map<unknown, Speaker>([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
]);
const INPUT_PARTS: readonly unknown[] = ['input_text', 'input_image', 'input_file', 'input_audio'];
const OUTPUT_PARTS: readonly unknown[] = ['output_text', 'refusal'];
const TEXT_PARTS: readonly unknown[] = ['input_text', 'output_text'];
const IMAGE_URL = /^(?:https?:\/\/|data:image\/)/i;

/** Instructions and input of a call. @throws Refusal 400, and 404 for an item that would have to be stored. */
export function readInput(body: BodyFields): Conversation {
  const { instructions, input } = body;
  if (input === undefined || input === null) throw missing('input');
  const conversation = new Conversation();
  conversation.add('system', contentText(instructions, 'instructions'));
  if (typeof input === 'string') {
    conversation.add('user', input);
    return conversation;
  }
  const items = optionalObjects(body, 'input');
  if (items.length === 0) throw missing('input');
  requireAnsweredCalls(items);
  items.forEach((item, at) => {
    addItem(conversation, item, `input[${String(at)}]`);
  });
  return conversation;
}

function addItem(conversation: Conversation, item: BodyFields, param: string): void {
  switch (item.type ?? 'message') {
    case 'message':
      addMessage(conversation, item, param);
      return;
    case 'function_call':
    case 'custom_tool_call':
      conversation.add('assistant', '');
      return;
    case 'function_call_output':
    case 'custom_tool_call_output':
      conversation.add('tool', contentText(item.output, `${param}.output`, TEXT_PARTS));
      return;
    case 'reasoning':
      requireKnownReasoning(item);
      return;
    case 'item_reference':
      throw unknownItem(item.id);
    default:
      // Items of tools that the provider itself runs have no text.
      if (typeof item.type !== 'string') throw wrongType(`${param}.type`, 'a string');
  }
}

function addMessage(conversation: Conversation, { role, content }: BodyFields, param: string): void {
  const speaker = SPEAKERS.get(role);
  if (speaker === undefined) {
    throw wrongType(`${param}.role`, `'assistant', 'system', 'developer' or 'user'`);
  }
  if (Array.isArray(content)) {
    content.forEach((part: unknown, at) => {
      requirePart(part, speaker, `${param}.content[${String(at)}]`);
    });
  }
  conversation.add(speaker, contentText(content, `${param}.content`, TEXT_PARTS));
}

function requirePart(part: unknown, speaker: Speaker, param: string): void {
  if (!isFields(part)) throw wrongType(param, 'an object');
  const known = speaker === 'assistant' ? OUTPUT_PARTS : INPUT_PARTS;
  if (!known.includes(part.type)) {
    const supported = known.map((type) => `'${String(type)}'`).join(', ');
    throw new Refusal(400, `Invalid value: '${String(part.type)}'. Supported values are: ${supported}.`, {
      param,
      code: 'invalid_value',
    });
  }
  if (part.type !== 'input_image' || typeof part.file_id === 'string') return;
  if (typeof part.image_url === 'string' && IMAGE_URL.test(part.image_url)) return;
  throw new Refusal(
    400,
    `Invalid '${param}.image_url'. Expected a base64-encoded data URL with an image MIME type, or a URL.`,
    { param: `${param}.image_url`, code: 'invalid_value' },
  );
}

/** Each call of a tool has its output, and each output its call. */
function requireAnsweredCalls(items: readonly BodyFields[]): void {
  for (const kind of ['function_call', 'custom_tool_call']) {
    const calls = new Set(callIds(items, kind));
    const outputs = new Set(callIds(items, `${kind}_output`));
    const uncalled = [...outputs].find((id) => !calls.has(id));
    const unanswered = [...calls].find((id) => !outputs.has(id));
    const what = kind.replaceAll('_', ' ');
    if (uncalled !== undefined) {
      throw unpaired(`No tool call found for ${what} output with call_id ${uncalled}.`);
    }
    if (unanswered !== undefined) throw unpaired(`No tool output found for ${what} ${unanswered}.`);
  }
}

const unpaired = (message: string): Refusal => new Refusal(400, message, { param: 'input' });

function callIds(items: readonly BodyFields[], type: string): readonly string[] {
  return items.flatMap((item, at) => {
    if (item.type !== type) return [];
    if (typeof item.call_id !== 'string') throw missing(`input[${String(at)}].call_id`);
    return [item.call_id];
  });
}
