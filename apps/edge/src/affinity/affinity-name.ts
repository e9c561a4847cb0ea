import { type Model, type ModelEndpoint } from '@svc/catalog';
import { affinityKey, leavesChoice } from '@svc/policy';
import { conversationIn, type ParsedCall } from '@svc/protocol';
import { type AffinityName } from '../call/call-affinity';
import { type CallHeaders } from '../call/inference-call';
import { type OrganizationTerms } from '../policy/organization-terms';

interface ConversingCall {
  readonly call: { readonly headers: CallHeaders };
  readonly parsed: ParsedCall;
  readonly organizationId: string;
  readonly sessionId: string | null;
}

/** The conversation of a call. Null where it is part of none, or where nothing is to choose: then nothing is hashed or read. */
export function affinityNameOf(
  { call, parsed, organizationId, sessionId }: ConversingCall,
  model: Model | undefined,
  terms: OrganizationTerms,
): AffinityName | null {
  const { operation } = parsed;
  if (model === undefined || operation === 'embeddings') return null;
  const poolSizeOf = (endpoint: ModelEndpoint, source: 'own' | 'platform') =>
    poolSize(endpoint, source, terms);
  if (!leavesChoice(model, operation, terms, poolSizeOf)) return null;
  const key = affinityKey({
    organizationId,
    modelId: model.id,
    sessionId,
    agentId: agentIdIn(call.headers),
    conversation: () => conversationOf(parsed),
  });
  return key === null ? null : { organizationId, key };
}

function agentIdIn(headers: CallHeaders): string | null {
  const value = headers['x-claude-code-agent-id'];
  return typeof value === 'string' ? value : null;
}

const conversationOf = ({ conversation, operation, body }: ParsedCall): string | null =>
  conversation === undefined ? conversationIn(operation, body) : conversation;

/** A tuned model keeps to the credential that trained it. */
function poolSize(
  { provider, credential }: ModelEndpoint,
  source: 'own' | 'platform',
  terms: Pick<OrganizationTerms, 'poolFor'>,
): number {
  const pool = terms.poolFor(provider, source);
  if (pool === undefined) return 0;
  return credential === undefined ? pool.members.length : 1;
}
