import { DEFAULT_POLICY, policyOf, readPolicyDocument, type Policy } from '@svc/inference';
import { GatewayError } from '@svc/kernel';
import { type Change } from '@svc/persistence';
import { LookupCache } from '../changes/lookup-cache';

const ORGANIZATIONS_MAX = 10_000;

type FindPolicy = (organizationId: string) => Promise<{ readonly document: unknown } | null>;

/** The cached policies of organizations. */
export class Policies {
  private readonly cache = new LookupCache<Policy>(ORGANIZATIONS_MAX);

  constructor(private readonly findPolicy: FindPolicy) {}

  /** @throws GatewayError `internal` for a policy that cannot be read: a call that it might forbid must not be sent. */
  of(organizationId: string): Policy | Promise<Policy> {
    return this.cache.get(organizationId, async () => {
      const version = await this.findPolicy(organizationId);
      return version === null ? DEFAULT_POLICY : readStored(version.document);
    });
  }

  invalidate(change: Change): void {
    if (change.of === 'anything') this.cache.invalidateAll();
    else if (change.of === 'policy') this.cache.invalidate(change.organizationId);
  }
}

function readStored(document: unknown): Policy {
  try {
    return policyOf(readPolicyDocument(document));
  } catch (cause) {
    throw new GatewayError('internal', 'The policy of your organization cannot be applied.', { cause });
  }
}
