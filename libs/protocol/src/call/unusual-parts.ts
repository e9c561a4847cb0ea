import { isRecord, type JsonRecord } from '../json/byte-text';
import { TRANSLATED_SIGNATURES } from '../translation/reasoning';
import { isUsualToolName } from './tool-names';
import { lacksParameters, lacksProperties } from '../translation/tool-properties';

/** Types of parts, items and tools that hold nothing else to look for. */
const USUAL_TYPES: ReadonlySet<unknown> = new Set([
  ...['text', 'image_url', 'image', 'file', 'refusal', 'document', 'search_result'],
  ...['thinking', 'redacted_thinking', 'tool_use', 'tool_result', 'function', 'custom'],
  ...['message', 'input_text', 'output_text', 'input_image', 'input_file', 'reasoning'],
  ...['function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output'],
  null,
]);

/**
 * True where a body may have anything below its top level that some provider is not sent as it is. One cheap pass, so that a plain call
 * does not pay for the exact ones: what it finds unusual may still be what every provider takes.
 */
export function hasUnusualParts({ messages, input, system, tools, functions }: JsonRecord): boolean {
  return (
    isUnusualList(messages) ||
    isUnusualList(input) ||
    isUnusualList(system) ||
    isUnusualList(tools) ||
    isUnusualList(functions) ||
    (Array.isArray(tools) && tools.some(isNameless)) ||
    (Array.isArray(functions) && functions.some(lacksParameters))
  );
}

/** Some providers tell their own tools by the name of a member alone. */
const isNameless = (tool: unknown): boolean =>
  isRecord(tool) && !isSet(tool['type']) && !isSet(tool['name']) && !isSet(tool['function']);

function isUnusualList(list: unknown): boolean {
  if (!Array.isArray(list)) return false;
  for (const part of list as readonly unknown[]) if (isRecord(part) && isUnusual(part)) return true;
  return false;
}

function isUnusual(part: JsonRecord): boolean {
  for (const name in part) if (isUnusualMember(name, part[name])) return true;
  return false;
}

function isUnusualMember(name: string, value: unknown): boolean {
  switch (name) {
    case 'type':
      return !USUAL_TYPES.has(value);
    case 'name':
      return value === null || (typeof value === 'string' && !isUsualToolName(value));
    case 'content':
      return isUnusualList(value);
    case 'tool_calls':
      return value === null || isUnusualList(value);
    case 'output':
      return isRecord(value) || isUnusualList(value);
    case 'function':
      return isRecord(value) && (lacksParameters(value) || isUnusual(value));
    case 'custom':
    case 'function_call':
      return isRecord(value) && isUnusual(value);
    case 'parameters':
      return lacksProperties(value);
    case 'cache_control':
      return isRecord(value) && isSet(value['ttl']);
    case 'source':
      return isRecord(value) && (isSet(value['file_id']) || isSet(value['content']));
    case 'file':
      return isRecord(value) && isSet(value['file_id']);
    case 'signature':
      return TRANSLATED_SIGNATURES.has(value);
    case 'reasoning':
    case 'reasoning_content':
    case 'reasoning_details':
    case 'file_id':
    case 'vector_store_ids':
    case 'skill_id':
    case 'container':
    case 'environment':
      return isSet(value);
    default:
      return false;
  }
}

const isSet = (value: unknown): boolean => (value ?? null) !== null;
