import { type Caller } from '@svc/api';
import { type Transaction } from '@svc/database';
import { GatewayError } from '@svc/kernel';
import { type LowerPolicyRecord, type LowerPolicyStore } from '@svc/policy/store';

/** The policy of the key that calls; null for another caller, and for a key without one. */
export async function policyOfCaller(
  tx: Transaction,
  { organizationId, actor }: Caller,
  store: LowerPolicyStore,
): Promise<LowerPolicyRecord | null> {
  if (actor.type !== 'api_key' || actor.id === null) return null;
  return store.newestIn(tx, { organizationId, level: 'key', ownerId: actor.id });
}

/**
 * A key that has a policy writes none at any level: it could give itself back what its policy takes away.
 * @throws GatewayError `permissionDenied`
 */
export async function refuseNarrowedKey(
  tx: Transaction,
  caller: Caller,
  store: LowerPolicyStore,
): Promise<void> {
  if ((await policyOfCaller(tx, caller, store)) === null) return;
  throw new GatewayError('permissionDenied', 'An API key that has a policy cannot write policies.');
}

/** @throws GatewayError `permissionDenied` for a key of one project: it reads the policies of that alone. */
export function refuseProject(projectId: string | null): void {
  if (projectId === null) return;
  throw new GatewayError('permissionDenied', 'A project’s key cannot read the policy of the organization.');
}
