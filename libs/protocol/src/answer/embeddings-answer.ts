import { asBuffer, isRecord } from '../json/byte-text';
import { type JsonMember, type JsonObjectSpan, topLevelMembers } from '../json/top-level-members';
import { plainUsage, tokenCountOf, type TokenUsage } from '../usage/token-usage';

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/**
 * The members of an embeddings answer, found without parsing its vectors. Null when it is no object with a list `data`,
 * or ends too early. What is inside the list is not checked.
 */
export function embeddingsMembers(bytes: Uint8Array): JsonObjectSpan | null {
  const span = membersOf(bytes);
  if (span === null || bytes[span.open] !== OPEN_BRACE) return null;
  if (
    asBuffer(bytes)
      .toString('latin1', span.close + 1)
      .trim() !== ''
  )
    return null;
  const data = memberNamed('data', span);
  return data !== undefined && bytes[data.valueStart] === OPEN_BRACKET ? span : null;
}

/** Null when the answer reports no count of its prompt's tokens. Every prompt has some, so zero is none. */
export function usageOfEmbeddings(bytes: Uint8Array, span: JsonObjectSpan): TokenUsage | null {
  const usage = memberNamed('usage', span);
  if (usage === undefined) return null;
  const reported = parsed(asBuffer(bytes).toString('utf8', usage.valueStart, usage.valueEnd));
  const inputTokens = isRecord(reported) ? tokenCountOf(reported['prompt_tokens']) : null;
  return inputTokens === null || inputTokens === 0 ? null : plainUsage(inputTokens);
}

/** The last one of a name, as `JSON.parse` takes it. */
const memberNamed = (name: string, { members }: JsonObjectSpan): JsonMember | undefined =>
  members.findLast(({ key }) => key === name);

function membersOf(bytes: Uint8Array): JsonObjectSpan | null {
  try {
    return topLevelMembers(bytes);
  } catch {
    return null;
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
