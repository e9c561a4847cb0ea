import { DEFAULT_POLICY, policyOf, readPolicyDocument, type Policy } from '@svc/policy';
import { GatewayError } from '@svc/kernel';
import { type Change } from '@svc/database';
import { LookupCache } from '../changes/lookup-cache';

const ORGANIZATIONS_MAX = 10_000;

interface StoredPolicy {
  readonly version: number;
  readonly document: unknown;
}

type FindPolicy = (organizationId: string) => Promise<StoredPolicy | null>;

/** The policy of an organization at this moment. */
export interface CurrentPolicy {
  readonly policy: Policy;
  /** 0 for the default. */
  readonly policyVersion: number;
}

const DEFAULT: CurrentPolicy = { policy: DEFAULT_POLICY, policyVersion: 0 };

/** The cached policies of organizations. */
export class Policies {
  private readonly cache = new LookupCache<CurrentPolicy>(ORGANIZATIONS_MAX);

  constructor(private readonly findPolicy: FindPolicy) {}

  /** @throws GatewayError `internal` for a policy that cannot be read: a call that it might forbid must not be sent. */
  of(organizationId: string): CurrentPolicy | Promise<CurrentPolicy> {
    return this.cache.get(organizationId, async () => {
      const stored = await this.findPolicy(organizationId);
      return stored === null ? DEFAULT : readStored(stored);
    });
  }

  invalidate(change: Change): void {
    if (change.of === 'anything') this.cache.invalidateAll();
    else if (change.of === 'policy') this.cache.invalidate(change.organizationId);
  }
}

function readStored({ version, document }: StoredPolicy): CurrentPolicy {
  try {
    return { policy: policyOf(readPolicyDocument(document)), policyVersion: version };
  } catch (cause) {
    throw new GatewayError('internal', 'The policy of your organization cannot be applied.', { cause });
  }
}
