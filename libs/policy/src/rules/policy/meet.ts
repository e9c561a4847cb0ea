import { meetAllowedIps } from './allowed-ips';
import { type Policy, type PolicyOfLevel } from './policy';
import {
  endUserRates,
  type KeyPolicyDocument,
  type PolicyDocument,
  type PolicyFields,
  policyOf,
  projectRates,
  ratesOf,
  readDocumentOf,
} from './policy-document';
import { type OfLevels } from './policy-level';
import { type ProjectPolicyDocument } from './policy-document';

/** The policies that a call stands under. Null for a level without one. */
export interface PolicyTriple extends OfLevels<object> {
  readonly organization: PolicyDocument;
  readonly project: ProjectPolicyDocument | null;
  readonly key: KeyPolicyDocument | null;
}

/**
 * Meets the policies of a project and a key with that of their organization: what the result allows, each of them allows.
 * @param organization is the result where there is no lower policy.
 */
export function compilePolicy(organization: Policy, { project, key, ...above }: PolicyTriple): Policy {
  if (project === null && key === null) return organization;
  const levels: PolicyOfLevel[] = [{ level: 'organization', policy: organization }];
  if (project !== null) levels.push({ level: 'project', policy: policyOf(project) });
  if (key !== null) levels.push({ level: 'key', policy: policyOf(key) });
  const fields = [project, key].reduce<PolicyFields>(
    (met, document) => (document === null ? met : meetFields(met, document)),
    above.organization,
  );
  const rates = ratesOf({
    endUser: endUserRates(above.organization),
    endUserInProject: project && endUserRates(project),
    project: project && projectRates(project),
  });
  return { ...policyOf(fields), rates, levels };
}

/** The policy of a key that another key made: what both allow. */
export const meetOfKeys = (one: KeyPolicyDocument, other: KeyPolicyDocument): KeyPolicyDocument =>
  readDocumentOf('key', meetFields(one, other));

/** The fields by which both documents allow a call. Fields that neither has stay absent. */
export function meetFields(one: PolicyFields, other: PolicyFields): PolicyFields {
  const met: Record<string, unknown> = { ...one };
  for (const [field, value] of Object.entries(other) as [keyof PolicyFields, unknown][]) {
    met[field] = met[field] === undefined ? value : meetValues(field, met[field], value);
  }
  return met as PolicyFields;
}

function meetValues(field: keyof PolicyFields, one: unknown, other: unknown): unknown {
  if (one === null || other === null) return one ?? other;
  if (field === 'allowed_ips') return meetAllowedIps(one as string[], other as string[]);
  if (field === 'retention') return stricter(one as Retention, other as Retention);
  if (field.startsWith('allowed_'))
    return (one as string[]).filter((name) => (other as string[]).includes(name));
  if (field.startsWith('denied_')) return [...new Set([...(one as string[]), ...(other as string[])])];
  if (typeof one === 'boolean') return one || other;
  if (typeof one === 'number') return Math.min(one, other as number);
  return one;
}

type Retention = PolicyDocument['retention'];
/** From the strictest. */
const RETENTIONS: readonly Retention[] = ['none', 'metadata', 'content'];
const stricter = (one: Retention, other: Retention): Retention =>
  RETENTIONS.find((word) => word === one || word === other) ?? one;
