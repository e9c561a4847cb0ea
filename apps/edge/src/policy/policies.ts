import { DEFAULT_POLICY, policyOf, readPolicyDocument, type Policy } from '@svc/inference';
import { GatewayError } from '@svc/kernel';
import { type Change } from '@svc/persistence';
import { BelievedAnswers } from '../changes/believed-answers';

const ORGANIZATIONS_MAX = 10_000;

type FindPolicy = (organizationId: string) => Promise<{ readonly document: unknown } | null>;

/** The policies of organizations, each looked up once however many calls ask at the same time. */
export class Policies {
  private readonly known = new BelievedAnswers<Policy>(ORGANIZATIONS_MAX);

  constructor(private readonly findPolicy: FindPolicy) {}

  /** @throws GatewayError `internal` for one that cannot be read: nothing is sent that it might forbid. */
  of(organizationId: string): Policy | Promise<Policy> {
    return this.known.of(organizationId, async () => {
      const version = await this.findPolicy(organizationId);
      return version === null ? DEFAULT_POLICY : readStored(version.document);
    });
  }

  forget(change: Change): void {
    if (change.of === 'anything') this.known.forgetAll();
    else if (change.of === 'policy') this.known.forget(change.organizationId);
  }
}

function readStored(document: unknown): Policy {
  try {
    return policyOf(readPolicyDocument(document));
  } catch (cause) {
    throw new GatewayError('internal', 'The policy of your organization cannot be applied.', { cause });
  }
}
