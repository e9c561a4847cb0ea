import { type JsonRecord } from '../json/byte-text';
import { hasOpenSchema } from '../translation/closed-schema';
import { hasForeignThinking, hasSignedReasoning } from '../translation/foreign-reasoning';
import { hasNullMembers } from '../translation/null-members';
import { hasBareTool } from '../translation/tool-properties';
import { type Operation } from './operation';
import { needsRewriting as isUnreadableResponse } from './response-content';
import { hasLongName } from './tool-names';

/**
 * True where even a provider of the call's own protocol cannot be sent the body with a changed top level alone: it has something that
 * no provider of the protocol takes as it is.
 * @param mayHaveParts see `hasUnusualParts`
 */
export function needsRewriting(operation: Operation, body: JsonRecord, mayHaveParts: boolean): boolean {
  if (operation === 'responses' && isUnreadableResponse(body)) return true;
  if (operation === 'messages' && hasOpenSchema(body)) return true;
  return mayHaveParts && hasForeignParts[operation](body);
}

const hasForeignParts: Readonly<Record<Operation, (body: JsonRecord) => boolean>> = {
  chat_completions: (body) =>
    hasBareTool(body) ||
    hasSignedReasoning(body) ||
    hasNullMembers(body) ||
    hasLongName('chat_completions', body),
  messages: (body) => hasForeignThinking(body) || hasLongName('messages', body),
  responses: (body) => hasBareTool(body) || hasLongName('responses', body),
  embeddings: () => false,
};
