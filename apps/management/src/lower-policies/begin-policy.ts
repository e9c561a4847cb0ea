import { type ApiKeyDetails, type ApiKeyStore } from '@svc/access/store';
import { type Caller } from '@svc/api';
import { type Mutation } from '@svc/approvals/store';
import { type KeyPolicyDocument, meetOfKeys, readStoredDocument } from '@svc/policy';
import { type LowerPolicyRecord, type LowerPolicyStore } from '@svc/policy/store';
import { announceLower } from './lower-policies';
import { policyOfCaller } from '../policy/narrowed-keys';

interface Stores {
  readonly policies: LowerPolicyStore;
  readonly keys: ApiKeyStore;
}

interface NewKey {
  /** The key that it replaces is locked. */
  readonly record: ApiKeyDetails;
  /** Null where none was given. */
  readonly given: KeyPolicyDocument | null;
}

/**
 * Writes the first policy of a new key: what the key that makes it, the key that it replaces and the given one all allow. So no key
 * makes one that may do more.
 * @returns null where none of them has a policy: the new key begins without one.
 */
export async function beginPolicy(
  mutation: Mutation,
  caller: Caller,
  { record, given }: NewKey,
  { policies, keys }: Stores,
): Promise<LowerPolicyRecord | null> {
  const { organizationId, id: ownerId, replaces } = record;
  const handedOn = [
    await policyOfCaller(mutation.tx, caller, policies),
    replaces && (await policies.newestIn(mutation.tx, { organizationId, level: 'key', ownerId: replaces })),
  ].flatMap((one) => (one ? readStoredDocument('key', one.document) : []));
  const [first, ...others] = given === null ? handedOn : [...handedOn, given];
  if (first === undefined) return null;
  const document = others.reduce(meetOfKeys, first);
  const written = await policies.appendLowerPolicyVersion(mutation.tx, {
    organizationId,
    level: 'key',
    ownerId,
    id: mutation.newId('policy'),
    version: 1,
    document,
    createdBy: caller.userId,
  });
  await keys.setAllowedIps(mutation.tx, ownerId, document.allowed_ips);
  await announceLower(mutation, written);
  return written;
}
