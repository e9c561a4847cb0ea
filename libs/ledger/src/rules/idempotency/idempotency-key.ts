import { GatewayError } from '@svc/kernel';

export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';
/** How long a claim is kept (docs/reference/idempotency.md#the-key). */
export const IDEMPOTENCY_RETENTION_MS = 24 * 60 * 60_000;

const KEY_CHARACTERS_MAX = 255;

/**
 * The key in a call's header. Null for a call without the header.
 * @throws GatewayError `invalidRequest` for an empty or too long key (docs/reference/idempotency.md#the-key).
 */
export function idempotencyKeyIn(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const key = typeof header === 'string' ? header : header.join(', ');
  if (key.length >= 1 && key.length <= KEY_CHARACTERS_MAX) return key;
  throw new GatewayError(
    'invalidRequest',
    `An ${IDEMPOTENCY_KEY_HEADER} must have 1 to ${String(KEY_CHARACTERS_MAX)} characters.`,
    { param: IDEMPOTENCY_KEY_HEADER },
  );
}
