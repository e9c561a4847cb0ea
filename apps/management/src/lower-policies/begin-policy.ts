import { type ApiKeyDetails } from '@svc/access/store';
import { type Caller } from '@svc/api';
import { type Mutation } from '@svc/approvals/store';
import { type KeyPolicyDocument, meetOfKeys, readStoredDocument } from '@svc/policy';
import { type LowerPolicyRecord, type LowerPolicyStore } from '@svc/policy/store';
import { announceLower } from './lower-policies';
import { policyOfCaller } from '../policy/narrowed-keys';

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
  store: LowerPolicyStore,
): Promise<LowerPolicyRecord | null> {
  const { organizationId, id: ownerId, replaces } = record;
  const handedOn = [
    await policyOfCaller(mutation.tx, caller, store),
    replaces && (await store.newestIn(mutation.tx, { organizationId, level: 'key', ownerId: replaces })),
  ].flatMap((one) => (one ? readStoredDocument('key', one.document) : []));
  const [first, ...others] = given === null ? handedOn : [...handedOn, given];
  if (first === undefined) return null;
  const written = await store.append(mutation.tx, {
    organizationId,
    level: 'key',
    ownerId,
    id: mutation.newId('policy'),
    version: 1,
    document: others.reduce(meetOfKeys, first),
    createdBy: caller.userId,
  });
  await announceLower(mutation, written);
  return written;
}
