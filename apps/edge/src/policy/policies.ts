import { LRUCache } from 'lru-cache';
import { DEFAULT_POLICY, policyOf, readPolicyDocument, type Policy } from '@svc/inference';
import { GatewayError } from '@svc/kernel';

/** How long a policy may be believed: under the 30 s within which changes reach the edge (contract.md section 7). */
const POLICY_AGE_MAX_MS = 10_000;
const ORGANIZATIONS_MAX = 10_000;

type FindPolicy = (organizationId: string) => Promise<{ readonly document: unknown } | null>;

/** The policies of organizations, each looked up once however many calls ask at the same time. */
export class Policies {
  private readonly known: LRUCache<string, Policy>;

  constructor(findPolicy: FindPolicy) {
    this.known = new LRUCache({
      max: ORGANIZATIONS_MAX,
      ttl: POLICY_AGE_MAX_MS,
      fetchMethod: async (organizationId) => {
        const version = await findPolicy(organizationId);
        return version === null ? DEFAULT_POLICY : readStored(version.document);
      },
    });
  }

  /** @throws GatewayError `internal` for one that cannot be read: nothing is sent that it might forbid. */
  async of(organizationId: string): Promise<Policy> {
    return (await this.known.fetch(organizationId)) ?? DEFAULT_POLICY;
  }
}

function readStored(document: unknown): Policy {
  try {
    return policyOf(readPolicyDocument(document));
  } catch (cause) {
    throw new GatewayError('internal', 'The policy of your organization cannot be applied.', { cause });
  }
}
