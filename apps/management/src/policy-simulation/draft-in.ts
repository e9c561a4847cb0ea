import { GatewayError } from '@svc/kernel';
import { type PolicyLevel, readDocumentOf } from '@svc/policy';
import { type PolicyDraft } from '../routing/caller-policies';

/** So that a policy can be sent as it was read. */
const IGNORED: ReadonlySet<string> = new Set([
  ...['id', 'organization_id', 'project_id', 'api_key_id', 'version', 'created_by', 'created_at'],
]);

interface AskedDraft {
  readonly policy?: Readonly<Record<string, unknown>> | undefined;
  readonly level: PolicyLevel;
  readonly project_id: string | null;
  readonly api_key_id: string | null;
}

/**
 * @returns undefined without a draft.
 * @throws GatewayError `invalidRequest`: `param` is the field in the draft, or the id that the level needs.
 */
export function draftIn({ policy, level, ...ids }: AskedDraft): PolicyDraft | undefined {
  if (level === 'project' && ids.project_id === null) throw needed('project_id', level);
  if (level === 'key' && ids.api_key_id === null) throw needed('api_key_id', level);
  if (policy === undefined) return undefined;
  const written = Object.fromEntries(Object.entries(policy).filter(([field]) => !IGNORED.has(field)));
  return ofDraft(() => ({ level, document: readDocumentOf(level, written) }) as PolicyDraft);
}

/** @throws what `read` throws; `param` is the field in the draft. */
export function ofDraft<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof GatewayError) || error.param === undefined) throw error;
    const param = `policy.${error.param}`;
    throw new GatewayError(error.reason, error.message.replace(error.param, param), { param });
  }
}

const needed = (param: string, level: string): GatewayError =>
  new GatewayError('invalidRequest', `${param}: is needed for a draft of the level ${level}.`, { param });
