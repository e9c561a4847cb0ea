import { type GatewayError } from '@svc/kernel';
import { isRecord, type JsonRecord } from '../json/byte-text';
import { messageContents } from './call-fields';
import { type Operation } from './operation';
import { checkResponse } from './response-content';
import { wrongType } from './wrong-type';

/**
 * Checks what a body contains below its top level, once the types of its fields are known to be right.
 * @throws GatewayError `invalidRequest`; `param` is the path of the value
 */
export const checkContent: Readonly<Record<Operation, (body: JsonRecord) => void>> = {
  chat_completions: (body) => {
    checkMessages('chat_completions', body);
    checkIncludeUsage(body);
  },
  messages: (body) => {
    checkMessages('messages', body);
  },
  responses: checkResponse,
  // The type of `input` says it all.
  embeddings: () => undefined,
};

function checkMessages(operation: keyof typeof messageContents, body: JsonRecord): void {
  const contents = messageContents[operation];
  let index = 0;
  for (const message of body['messages'] as readonly unknown[]) {
    if (!isRecord(message)) throw wrongMessage(index, '', 'an object');
    const contentKind = contents.get(message['role']);
    if (contentKind === undefined) {
      throw wrongMessage(index, '.role', `one of ${Array.from(contents.keys()).join(', ')}`);
    }
    if (!contentKind.accepts(message['content'])) throw wrongMessage(index, '.content', contentKind.name);
    index++;
  }
}

function checkIncludeUsage({ stream_options: options }: JsonRecord): void {
  const value = isRecord(options) ? options['include_usage'] : null;
  if (value !== null && value !== undefined && typeof value !== 'boolean') {
    throw wrongType('stream_options.include_usage', 'a boolean');
  }
}

const wrongMessage = (index: number, part: string, expected: string): GatewayError =>
  wrongType(`messages[${String(index)}]${part}`, expected);
