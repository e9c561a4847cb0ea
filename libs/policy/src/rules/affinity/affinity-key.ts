import { createHash } from 'node:crypto';

/** Facts that the turns of a conversation have in common. */
export interface AffinityFacts {
  readonly organizationId: string;
  /** The target of an alias. */
  readonly modelId: string;
  /** As a header names it; null where none does. */
  readonly sessionId: string | null;
  /** `x-claude-code-agent-id`: the subagents of a session have caches of their own. */
  readonly agentId: string | null;
  /** The conversation by the body, instead of a session; null for none. Asked only where no header names a session. */
  conversation(): string | null;
}

/** Of the hash, in base64url: 132 bits. */
const KEY_LENGTH = 22;

/**
 * Names a conversation with a model (docs/credential-pools.md#affinity). It is a hash, so that whoever reads Redis learns no prompt and
 * no name. Null for a call that is no part of one.
 */
export function affinityKey(facts: AffinityFacts): string | null {
  const { organizationId, modelId, sessionId, agentId } = facts;
  const subject = sessionId === null ? facts.conversation() : `header\0${sessionId}\0${agentId ?? ''}`;
  if (subject === null) return null;
  return createHash('sha256')
    .update(`${organizationId}\0${modelId}\0${subject}`)
    .digest('base64url')
    .slice(0, KEY_LENGTH);
}
