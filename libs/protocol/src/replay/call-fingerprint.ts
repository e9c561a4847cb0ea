import { createHash } from 'node:crypto';
import { GatewayError } from '@svc/kernel';
import { type Operation } from '../call/operation';
import { canonicalBody } from './canonical-body';

/** `/v1/v1/messages` is an alias of the same route. */
const routes: Readonly<Record<Operation, string>> = {
  chat_completions: '/v1/chat/completions',
  messages: '/v1/messages',
};

/**
 * SHA-256 over method, route and JSON value. It defines "the same body" of an `Idempotency-Key`
 * (docs/reference/idempotency.md#the-same-body).
 * @throws GatewayError `invalidRequest` for a body that is not JSON.
 */
export function callFingerprint(operation: Operation, body: Uint8Array): Buffer {
  const hash = createHash('sha256').update(`POST ${routes[operation]}\n`);
  try {
    return hash.update(canonicalBody(body), 'latin1').digest();
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new GatewayError('invalidRequest', 'The body is not valid JSON.');
  }
}
