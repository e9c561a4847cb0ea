import { contentFault } from './content-check';
import { isList, isObject, type FieldFault, type JsonObject } from './field-fault';

const ROLES = ['system', 'developer', 'user', 'assistant', 'tool'];

/**
 * The fault in the value of a line (docs/reference/fine-tuning.md#training-files). It names fields, and never says what is in them.
 * @returns the first fault; null for an example.
 */
export function exampleFault(line: unknown): FieldFault | null {
  if (!isObject(line)) return { param: null, message: 'must be a JSON object' };
  const { messages, tools, parallel_tool_calls: parallel } = line;
  if (!isList(messages) || messages.length === 0) {
    return { param: 'messages', message: 'must be a list of messages' };
  }
  for (const [at, message] of messages.entries()) {
    const fault = messageFault(message, `messages[${String(at)}]`);
    if (fault !== null) return fault;
  }
  const last = messages.length - 1;
  if ((messages[last] as JsonObject)['role'] !== 'assistant') {
    return { param: `messages[${String(last)}].role`, message: 'must be assistant in the last message' };
  }
  if (parallel !== undefined && typeof parallel !== 'boolean') {
    return { param: 'parallel_tool_calls', message: 'must be true or false' };
  }
  return toolsFault(tools);
}

function messageFault(message: unknown, at: string): FieldFault | null {
  if (!isObject(message)) return { param: at, message: 'must be an object' };
  const { role, name, weight, tool_call_id: callId } = message;
  if (typeof role !== 'string' || !ROLES.includes(role)) {
    return { param: `${at}.role`, message: `must be one of ${ROLES.join(', ')}` };
  }
  if (name !== undefined && typeof name !== 'string') {
    return { param: `${at}.name`, message: 'must be a text' };
  }
  if (weight !== undefined && weight !== 0 && weight !== 1) {
    return { param: `${at}.weight`, message: 'must be 0 or 1' };
  }
  if (role === 'tool' && typeof callId !== 'string') {
    return { param: `${at}.tool_call_id`, message: 'must be a text' };
  }
  return callsFault(message, at) ?? contentFault(message, at);
}

function callsFault({ role, tool_calls: calls }: JsonObject, at: string): FieldFault | null {
  if (calls === undefined) return null;
  const param = `${at}.tool_calls`;
  if (role !== 'assistant') return { param, message: 'must not be in a message of this role' };
  if (!isList(calls) || calls.length === 0) return { param, message: 'must be a list of calls' };
  for (const [index, call] of calls.entries()) {
    const path = `${param}[${String(index)}]`;
    if (!isObject(call)) return { param: path, message: 'must be an object' };
    if (typeof call['id'] !== 'string') return { param: `${path}.id`, message: 'must be a text' };
    if (call['type'] !== 'function') return { param: `${path}.type`, message: 'must be function' };
    const called = call['function'];
    if (!isObject(called)) return { param: `${path}.function`, message: 'must be an object' };
    for (const field of ['name', 'arguments']) {
      if (typeof called[field] !== 'string') {
        return { param: `${path}.function.${field}`, message: 'must be a text' };
      }
    }
  }
  return null;
}

function toolsFault(tools: unknown): FieldFault | null {
  if (tools === undefined) return null;
  if (!isList(tools)) return { param: 'tools', message: 'must be a list of tools' };
  for (const [index, tool] of tools.entries()) {
    const path = `tools[${String(index)}]`;
    if (!isObject(tool)) return { param: path, message: 'must be an object' };
    if (tool['type'] !== 'function') return { param: `${path}.type`, message: 'must be function' };
    const defined = tool['function'];
    if (!isObject(defined)) return { param: `${path}.function`, message: 'must be an object' };
    if (typeof defined['name'] !== 'string') {
      return { param: `${path}.function.name`, message: 'must be a text' };
    }
  }
  return null;
}
