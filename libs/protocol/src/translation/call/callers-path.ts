import { type Operation } from '../../call/operation';
import { type JsonRecord } from '../../json/byte-text';
import { recordIn } from '../untyped-json';

/** Names of a provider's protocol that a caller has under another one, by the caller's protocol. */
const names: Readonly<Record<Operation, Readonly<Record<string, string>>>> = {
  chat_completions: {
    thinking: 'reasoning_effort',
    'output_config.effort': 'reasoning_effort',
    'output_config.format': 'response_format',
    stop_sequences: 'stop',
  },
  messages: { stop: 'stop_sequences', response_format: 'output_config.format' },
  responses: {
    messages: 'input',
    thinking: 'reasoning.effort',
    'output_config.effort': 'reasoning.effort',
    reasoning_effort: 'reasoning.effort',
    verbosity: 'text.verbosity',
    'output_config.format': 'text.format',
    response_format: 'text.format',
  },
  embeddings: {},
};

/** The caller's path of a parameter of the body that a call was translated to. */
export function callersPath(operation: Operation, path: string, body: JsonRecord): string {
  if (operation === 'messages' && path === 'reasoning_effort') {
    return (recordIn(body['output_config'])['effort'] ?? null) === null ? 'thinking' : 'output_config.effort';
  }
  return names[operation][path] ?? path;
}
