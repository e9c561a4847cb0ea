import { GatewayError } from '@svc/kernel';
import { isRecord, type JsonRecord } from '../json/byte-text';
import { isReadable } from './encrypted-reasoning';
import { builtInToolType } from './response-tools';
import { anArray, aString, either, type ValueKind } from './value-kind';
import { wrongType } from './wrong-type';

/** Fields of a responses call that refer to what a provider keeps. The service keeps nothing between calls. */
const STATE_FIELDS = ['previous_response_id', 'conversation'] as const;

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system', 'developer']);
const textOrParts = either(aString, anArray);

/** Members that an item needs to be translated, by its type. */
const itemMembers: ReadonlyMap<unknown, Readonly<Record<string, ValueKind>>> = new Map([
  ['function_call', { call_id: aString, name: aString, arguments: aString }],
  ['custom_tool_call', { call_id: aString, name: aString, input: aString }],
  ['function_call_output', { output: textOrParts }],
  ['custom_tool_call_output', { output: textOrParts }],
]);

/**
 * Checks the conversation of a responses call (docs/reference/inference-and-compatibility.md#responses).
 * @throws GatewayError `invalidRequest`, or `unsupportedParameter` for what needs something that is kept between
 * calls
 */
export function checkResponse(body: JsonRecord): void {
  for (const field of STATE_FIELDS) if ((body[field] ?? null) !== null) throw stateless(field);
  if ((body['prompt'] ?? null) !== null) {
    throw unsupported(
      'prompt',
      'The service cannot look up a stored prompt: send its text in `instructions` or `input`.',
    );
  }
  if (body['background'] === true) {
    throw unsupported(
      'background',
      'The service cannot answer in the background: leave `background` out, and wait for the answer.',
    );
  }
  const { input } = body;
  if (typeof input === 'string') return;
  if (!Array.isArray(input)) {
    throw new GatewayError('invalidRequest', 'The field `input` is required.', { param: 'input' });
  }
  let index = 0;
  for (const item of input as readonly unknown[]) checkItem(item, `input[${String(index++)}]`);
}

function checkItem(item: unknown, path: string): void {
  if (!isRecord(item)) throw wrongType(path, 'an object');
  const type = item['type'] ?? 'message';
  if (type === 'item_reference' || ((item['type'] ?? null) === null && isReference(item))) {
    throw stateless(path);
  }
  if (typeof type !== 'string') throw wrongType(`${path}.type`, 'a string');
  if (type !== 'message') {
    const members = Object.entries(itemMembers.get(type) ?? {});
    const wrong = members.find(([name, kind]) => !kind.accepts(item[name]));
    if (wrong !== undefined) throw wrongType(`${path}.${wrong[0]}`, wrong[1].name);
    return;
  }
  if (!ROLES.has(item['role'])) throw wrongType(`${path}.role`, `one of ${[...ROLES].join(', ')}`);
  if (!textOrParts.accepts(item['content'])) throw wrongType(`${path}.content`, textOrParts.name);
}

const isReference = ({ id, role }: JsonRecord): boolean => typeof id === 'string' && role === undefined;

const stateless = (param: string): GatewayError =>
  unsupported(
    param,
    `The service keeps no responses, so it does not support \`${param}\`. Send the whole conversation in \`input\`, and \`store\` as false.`,
  );

const unsupported = (param: string, message: string): GatewayError =>
  new GatewayError('unsupportedParameter', message, { param });

/**
 * True where a provider of the responses protocol cannot be sent the body as it is: it asks to be stored, names tools that
 * only some endpoints serve, or has reasoning that the provider cannot read.
 */
export function needsRewriting({ store, tools, input }: JsonRecord): boolean {
  if (store === true) return true;
  if (Array.isArray(tools) && tools.some((tool) => builtInToolType(tool) !== null)) return true;
  return Array.isArray(input) && input.some((item) => !isReadable(item));
}
