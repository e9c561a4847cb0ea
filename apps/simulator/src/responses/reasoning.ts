import { type BodyFields } from '../body/body-fields';
import { Refusal } from '../refusal';

const STORED = 'rs_sim_stored_';
const NOT_STORED = 'rs_sim_';
const ENCRYPTED = 'svc-simulator-encrypted-reasoning-';

/** The id says whether the item is stored, so that the simulator itself stores nothing. */
export function reasoningId(answerId: string, stores: boolean): string {
  return `${stores ? STORED : NOT_STORED}${answerId}`;
}

export function encryptedReasoning(answerId: string): string {
  return `${ENCRYPTED}${answerId}`;
}

/** @throws Refusal 404 for an item that is neither stored nor complete, 400 for content of another provider. */
export function requireKnownReasoning({ id, encrypted_content: encrypted }: BodyFields): void {
  if (typeof encrypted !== 'string') {
    if (typeof id === 'string' && id.startsWith(STORED)) return;
    throw unknownItem(id);
  }
  if (encrypted.startsWith(ENCRYPTED)) return;
  throw new Refusal(
    400,
    `The encrypted content for item ${String(id)} could not be verified. ` +
      'Reason: Encrypted content could not be decrypted or parsed.',
    { code: 'invalid_encrypted_content' },
  );
}

export function unknownItem(id: unknown): Refusal {
  return new Refusal(
    404,
    `Item with id '${String(id)}' not found. Items are not persisted when \`store\` is set to false. ` +
      'Try again with `store` set to true, or remove this item from your input.',
    { param: 'input' },
  );
}
