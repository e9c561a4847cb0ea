import { Injectable } from '@nestjs/common';
import { ApiKeyStore, ProjectStore } from '@svc/access/store';
import { type Caller, unknownResource } from '@svc/api';
import { GatewayError } from '@svc/kernel';
import {
  compilePolicy,
  DEFAULT_POLICY,
  DEFAULT_POLICY_DOCUMENT,
  type DocumentOf,
  type OfLevels,
  type Policy,
  type PolicyLevel,
  type PolicyNames,
  policyOf,
  type PolicyTriple,
  readStoredDocument,
} from '@svc/policy';
import {
  type LowerPolicyRecord,
  LowerPolicyStore,
  PolicyStore,
  type PolicyVersionRecord,
} from '@svc/policy/store';

/** Whose calls are asked about. */
export interface PolicySubject {
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly apiKeyId: string | null;
}

/** A compiled policy with the names of its levels in sentences. */
export interface NamedPolicy extends PolicyNames {
  readonly policy: Policy;
}

/** A draft in the place of one level's policy. */
export type PolicyDraft = {
  [Level in PolicyLevel]: { readonly level: Level; readonly document: DocumentOf[Level] };
}[PolicyLevel];

export type PolicyRecords = OfLevels<LowerPolicyRecord, PolicyVersionRecord | null>;

/** The calls of the caller itself: a key's own, or those of its organization. */
export const subjectOf = ({ organizationId, projectId, actor }: Caller): PolicySubject => ({
  organizationId,
  projectId,
  apiKeyId: actor.type === 'api_key' ? actor.id : null,
});

/** The policies that calls stand under. */
@Injectable()
export class CallerPolicies {
  constructor(
    private readonly policies: PolicyStore,
    private readonly lower: LowerPolicyStore,
    private readonly projects: ProjectStore,
    private readonly keys: ApiKeyStore,
  ) {}

  /**
   * The calls that a question names. Without ids those of the organization; a project's key asks about its own project.
   * @throws GatewayError `notFound` for a project or a key that the caller does not see; `invalidRequest` for a project that is not
   * the key's.
   */
  async subject(
    { organizationId, projectId: own }: Caller,
    asked: { readonly projectId: string | null; readonly apiKeyId: string | null },
  ): Promise<PolicySubject> {
    const { apiKeyId } = asked;
    const key = apiKeyId === null ? null : await this.keys.findApiKey(organizationId, apiKeyId, own);
    if (apiKeyId !== null && key === null) throw unknownResource();
    const bound = key?.projectId ?? own;
    if (asked.projectId !== null) await this.requireProject(organizationId, own, asked.projectId);
    if (asked.projectId !== null && bound !== null && asked.projectId !== bound) {
      throw new GatewayError('invalidRequest', 'project_id: is not the project of this API key.', {
        param: 'project_id',
      });
    }
    return { organizationId, projectId: bound ?? asked.projectId, apiKeyId };
  }

  /** The newest version of each level; null for one that has none. */
  async records({ organizationId, projectId, apiKeyId }: PolicySubject): Promise<PolicyRecords> {
    const lower = (level: 'project' | 'key', ownerId: string | null) =>
      ownerId === null ? null : this.lower.newest({ organizationId, level, ownerId });
    const [organization, project, key] = await Promise.all([
      this.policies.newest(organizationId),
      lower('project', projectId),
      lower('key', apiKeyId),
    ]);
    return { organization, project, key };
  }

  /** @throws GatewayError `internal` for a policy that cannot be read. */
  async named(subject: PolicySubject): Promise<NamedPolicy> {
    return namedOf(await this.records(subject));
  }

  private async requireProject(organizationId: string, own: string | null, id: string): Promise<void> {
    const isVisible = own === null || own === id;
    if (!isVisible || (await this.projects.findProject(organizationId, id)) === null) throw unknownResource();
  }
}

/** @throws GatewayError `internal` for a policy that cannot be read. */
export const tripleOf = ({ organization, project, key }: PolicyRecords): PolicyTriple => ({
  organization:
    organization === null
      ? DEFAULT_POLICY_DOCUMENT
      : readStoredDocument('organization', organization.document),
  project: project && readStoredDocument('project', project.document),
  key: key && readStoredDocument('key', key.document),
});

export function namedOf(records: PolicyRecords): NamedPolicy {
  const triple = tripleOf(records);
  const { organization, project, key } = records;
  const own = organization === null ? DEFAULT_POLICY : policyOf(triple.organization);
  return {
    policy: compilePolicy(own, triple),
    policyName:
      organization === null ? 'the default policy' : `policy version ${String(organization.version)}`,
    lowerPolicyNames: {
      ...(project && { project: `the project’s policy version ${String(project.version)}` }),
      ...(key && { key: `the key’s policy version ${String(key.version)}` }),
    },
  };
}

/** With a draft in the place of what its level has. */
export function namedDraft(records: PolicyRecords, { level, document }: PolicyDraft): NamedPolicy {
  const inForce = namedOf({ ...records, [level]: null });
  const triple: PolicyTriple = { ...tripleOf({ ...records, [level]: null }), [level]: document };
  const policy = compilePolicy(policyOf(triple.organization), triple);
  return level === 'organization'
    ? { ...inForce, policy, policyName: 'the draft' }
    : { ...inForce, policy, lowerPolicyNames: { ...inForce.lowerPolicyNames, [level]: 'the draft' } };
}
