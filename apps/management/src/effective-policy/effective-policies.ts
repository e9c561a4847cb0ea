import { Injectable } from '@nestjs/common';
import { ApiKeyStore, OrganizationStore } from '@svc/access/store';
import { type Caller, unknownResource } from '@svc/api';
import { type Bucket, bucketsFor } from '@svc/limits';
import {
  compilePolicy,
  type EffectiveField,
  effectivePolicy,
  type PolicyFieldName,
  policyOf,
  type RateLimits,
} from '@svc/policy';
import { CallerPolicies, type PolicyRecords, type PolicySubject, tripleOf } from '../routing/caller-policies';

/** A pair of buckets of a call; null for a unit without a limit. */
interface EffectiveRate {
  readonly scope: Exclude<Bucket['scope'], 'credential'>;
  readonly requests: number | null;
  readonly tokens: number | null;
}

export interface EffectivePolicy {
  readonly subject: PolicySubject;
  readonly fields: ReadonlyMap<PolicyFieldName, EffectiveField>;
  readonly records: PolicyRecords;
  readonly rateLimits: readonly EffectiveRate[];
}

/** The policy that calls of a project or a key stand under, and which level decided it. */
@Injectable()
export class EffectivePolicies {
  constructor(
    private readonly policies: CallerPolicies,
    private readonly keys: ApiKeyStore,
    private readonly organizations: OrganizationStore,
  ) {}

  /** @throws GatewayError as {@link CallerPolicies.subject}; `internal` for a policy that cannot be read. */
  async of(
    caller: Caller,
    asked: { readonly projectId: string | null; readonly apiKeyId: string | null },
  ): Promise<EffectivePolicy> {
    const subject = await this.policies.subject(caller, asked);
    const records = await this.policies.records(subject);
    const triple = tripleOf(records);
    const { rates } = compilePolicy(policyOf(triple.organization), triple);
    return {
      subject,
      records,
      fields: effectivePolicy(triple),
      rateLimits: [
        ...(await this.ratesOf(subject)),
        ...rateOf('project', rates?.project),
        ...rateOf('end_user', rates?.endUser),
        ...rateOf('end_user', rates?.endUserInProject),
      ],
    };
  }

  /** Of the key and the organization. */
  private async ratesOf({ organizationId, apiKeyId }: PolicySubject): Promise<readonly EffectiveRate[]> {
    const [organization, key] = await Promise.all([
      this.organizations.findOrganization(organizationId),
      apiKeyId === null ? null : this.keys.findApiKey(organizationId, apiKeyId),
    ]);
    if (organization === null) throw unknownResource();
    const buckets = bucketsFor(
      { rpm: key?.rateLimitRpm ?? null, tpm: key?.rateLimitTpm ?? null },
      { rpm: organization.rateLimitRpm, tpm: organization.rateLimitTpm },
    );
    const capacity = (scope: Bucket['scope'], unit: Bucket['unit']) =>
      buckets.find((bucket) => bucket.scope === scope && bucket.unit === unit)?.capacity ?? null;
    const scopes = key === null ? (['org'] as const) : (['key', 'org'] as const);
    return scopes.map((scope) => ({
      scope,
      requests: capacity(scope, 'requests'),
      tokens: capacity(scope, 'tokens'),
    }));
  }
}

const rateOf = (
  scope: EffectiveRate['scope'],
  rates: RateLimits | null | undefined,
): readonly EffectiveRate[] => (rates ? [{ scope, requests: rates.rpm, tokens: rates.tpm }] : []);
